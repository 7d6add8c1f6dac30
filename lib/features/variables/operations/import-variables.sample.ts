import { targetedSample } from "@/lib/testing/sample";
import { aKey } from "@/lib/testing/variables";
import { importVariables } from "./import-variables";

export const sample = targetedSample(importVariables, ({ environmentId }) => ({
  environmentId,
  kind: "dev-variable" as const,
  format: "dotenv" as const,
  text: `${aKey()}=a value\n`,
  mode: "merge" as const,
}));
