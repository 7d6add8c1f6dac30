import { simpleSample } from "@/lib/testing/sample";
import { getReleaseFeed } from "./get-release-feed";

export const sample = simpleSample(getReleaseFeed, () => ({}));
