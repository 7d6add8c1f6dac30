import { targetedSample } from "@/lib/testing/sample";
import { getVariablesMatrix } from "./get-variables-matrix";

export const sample = targetedSample(getVariablesMatrix, ({ app }) => ({
  appId: app.appId,
  kind: "dev-variable" as const,
}));
