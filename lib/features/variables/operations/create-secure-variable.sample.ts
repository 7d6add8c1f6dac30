import { targetedSample } from "@/lib/testing/sample";
import { aKey } from "@/lib/testing/variables";
import { createSecureVariable } from "./create-secure-variable";

export const sample = targetedSample(
  createSecureVariable,
  ({ environmentId }) => ({ environmentId, name: "API", key: aKey(), value: "a" }),
  ({ verifiedAdmin }) => verifiedAdmin,
);
