import { targetedSample } from "@/lib/testing/sample";
import { updateRetention } from "./update-retention";

export const sample = targetedSample(updateRetention, ({ environmentId }) => ({ environmentId, keepNewest: 10 }));
