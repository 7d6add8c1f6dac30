import { targetedSample } from "@/lib/testing/sample";
import { getAppActivity } from "./get-app-activity";

export const sample = targetedSample(getAppActivity, ({ app }) => ({ appId: app.appId }));
