import { targetedSample } from "@/lib/testing/sample";
import { getSecureVariables } from "./get-secure-variables";

export const sample = targetedSample(
  getSecureVariables,
  ({ environmentId }) => ({ environmentId }),
  ({ verifiedAdmin }) => verifiedAdmin,
);
