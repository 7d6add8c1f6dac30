import { targetedSample } from "@/lib/testing/sample";
import { getShareLinks } from "./get-share-links";

export const sample = targetedSample(getShareLinks, ({ environmentId }) => ({ environmentId }));
