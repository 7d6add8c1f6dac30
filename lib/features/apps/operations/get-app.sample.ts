import { targetedSample } from "@/lib/testing/sample";
import { getApp } from "./get-app";

export const sample = targetedSample(getApp, ({ app }) => ({ id: app.appId }));
