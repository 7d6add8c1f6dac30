import { targetedSample } from "@/lib/testing/sample";
import { exportVariables } from "./export-variables";

export const sample = targetedSample(
  exportVariables,
  ({ environmentId }) => ({ environmentId, kind: "secure-variable" as const, format: "dotenv" as const }),
  ({ verifiedAdmin }) => verifiedAdmin,
);
