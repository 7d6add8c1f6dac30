import { simpleSample } from "@/lib/testing/sample";
import { getLatestTestingDeploysByApp } from "./get-latest-testing-deploys-by-app";

export const sample = simpleSample(getLatestTestingDeploysByApp, ({ app }) => ({ appIds: [app.appId] }));
