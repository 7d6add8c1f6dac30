import { randomUUID } from "node:crypto";
import { targetedSample } from "@/lib/testing/sample";
import { createEnvironmentApp } from "./create-environment-app";

export const sample = targetedSample(createEnvironmentApp, ({ app }) => ({
  appId: app.appId,
  name: `Environment ${randomUUID()}`,
}));
