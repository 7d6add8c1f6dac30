import { targetedSample } from "@/lib/testing/sample";
import { getAppStoreKey } from "./get-app-store-key";

export const sample = targetedSample(
  getAppStoreKey,
  ({ environmentId }) => ({ environmentId }),
  ({ verifiedAdmin }) => verifiedAdmin,
);
