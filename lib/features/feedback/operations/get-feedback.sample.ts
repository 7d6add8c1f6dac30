import { targetedSample } from "@/lib/testing/sample";
import { getFeedback } from "./get-feedback";

export const sample = targetedSample(getFeedback, ({ environmentId }) => ({ environmentId }));
