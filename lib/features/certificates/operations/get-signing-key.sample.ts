import { targetedSample } from "@/lib/testing/sample";
import { getSigningKey } from "./get-signing-key";

export const sample = targetedSample(
  getSigningKey,
  ({ environmentId }) => ({ environmentId }),
  ({ verifiedAdmin }) => verifiedAdmin,
);
