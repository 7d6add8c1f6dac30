import { simpleSample } from "@/lib/testing/sample";
import { deleteReleaseFeed } from "./delete-release-feed";

export const sample = simpleSample(deleteReleaseFeed, () => ({}));
