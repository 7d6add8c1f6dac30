import { targetedSample } from "@/lib/testing/sample";
import { updateEnvironmentRules } from "./update-environment-rules";

export const sample = targetedSample(updateEnvironmentRules, ({ environmentId }) => ({
  environmentId,
  debuggable: { mode: "warn" as const },
}));
