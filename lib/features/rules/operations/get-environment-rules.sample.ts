import { targetedSample } from "@/lib/testing/sample";
import { getEnvironmentRules } from "./get-environment-rules";

export const sample = targetedSample(getEnvironmentRules, ({ environmentId }) => ({ environmentId }));
