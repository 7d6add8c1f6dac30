import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { readAppStoreKey } from "../internal/app-store-key";
import { appStoreKeyInput, appStoreKeySchema } from "../schema";

/** By which key of App Store Connect an environment registers devices with Apple. The key itself is not in the answer. */
export const getAppStoreKey = defineQuery({
  area: "devices",
  name: "get-app-store-key",
  summary: "Get the App Store Connect key with which an environment registers devices with Apple",
  access: "secure-certificate:read",
  secondFactor: "enrolled",
  input: appStoreKeyInput,
  output: appStoreKeySchema,
  errors: [],
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  handler: ({ input: { environmentId }, db }) => readAppStoreKey(db, environmentId),
});
