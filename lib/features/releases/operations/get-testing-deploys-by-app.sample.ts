import { targetedSample } from "@/lib/testing/sample";
import { getTestingDeploysByApp } from "./get-testing-deploys-by-app";

export const sample = targetedSample(getTestingDeploysByApp, ({ app }) => ({ appId: app.appId }));
