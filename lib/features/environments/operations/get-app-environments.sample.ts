import { targetedSample } from "@/lib/testing/sample";
import { getAppEnvironments } from "./get-app-environments";

export const sample = targetedSample(getAppEnvironments, ({ app }) => ({ appId: app.appId }));
