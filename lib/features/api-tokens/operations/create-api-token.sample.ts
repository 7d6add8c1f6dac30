import { DAY_MS } from "@/lib/kernel/time";
import { simpleSample } from "@/lib/testing/sample";
import { createApiToken } from "./create-api-token";

export const sample = simpleSample(createApiToken, ({ app, environmentId }) => ({
  name: "CI",
  appId: app.appId,
  environmentId,
  identifiers: ["server"],
  validUntil: new Date(Date.now() + DAY_MS).toISOString(),
}));
