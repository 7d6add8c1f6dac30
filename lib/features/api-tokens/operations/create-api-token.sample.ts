import { simpleSample } from "@/lib/testing/sample";
import { createApiToken } from "./create-api-token";

export const sample = simpleSample(createApiToken, ({ app, environmentId }) => ({
  name: "CI",
  appId: app.appId,
  environmentId,
  identifiers: ["server"],
  validUntil: new Date(Date.now() + 86_400_000).toISOString(),
}));
