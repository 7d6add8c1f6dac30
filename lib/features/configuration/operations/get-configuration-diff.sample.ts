import { targetedSample } from "@/lib/testing/sample";
import { getConfigurationDiff } from "./get-configuration-diff";

export const sample = targetedSample(getConfigurationDiff, ({ environmentId }) => ({
  environmentId,
  from: "current",
  to: "current",
}));
