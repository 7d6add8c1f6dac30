import { simpleSample } from "@/lib/testing/sample";
import { getEnvironmentApps } from "./get-environment-apps";

export const sample = simpleSample(getEnvironmentApps, ({ app }) => ({ appId: app.appId }));
