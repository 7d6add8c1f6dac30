import { targetedSample } from "@/lib/testing/sample";
import { getRetention } from "./get-retention";

export const sample = targetedSample(getRetention, ({ environmentId }) => ({ environmentId }));
