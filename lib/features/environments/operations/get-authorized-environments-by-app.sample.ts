import { targetedSample } from "@/lib/testing/sample";
import { getAuthorizedEnvironmentsByApp } from "./get-authorized-environments-by-app";

export const sample = targetedSample(getAuthorizedEnvironmentsByApp, ({ app }) => ({
  appId: app.appId,
}));
