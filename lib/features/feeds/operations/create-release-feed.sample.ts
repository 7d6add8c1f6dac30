import { simpleSample } from "@/lib/testing/sample";
import { createReleaseFeed } from "./create-release-feed";

export const sample = simpleSample(createReleaseFeed, () => ({}));
