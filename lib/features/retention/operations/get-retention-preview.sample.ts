import { targetedSample } from "@/lib/testing/sample";
import { getRetentionPreview } from "./get-retention-preview";

export const sample = targetedSample(getRetentionPreview, ({ environmentId }) => ({ environmentId, keepNewest: 10 }));
