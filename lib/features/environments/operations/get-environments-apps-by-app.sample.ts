import { simpleSample } from "@/lib/testing/sample";
import { getEnvironmentsAppsByApp } from "./get-environments-apps-by-app";

export const sample = simpleSample(getEnvironmentsAppsByApp, ({ app }) => ({
  appIds: [app.appId],
}));
