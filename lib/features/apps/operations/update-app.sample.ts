import { simpleSample } from "@/lib/testing/sample";
import { updateApp } from "./update-app";

export const sample = simpleSample(updateApp, ({ app }) => ({ id: app.appId, description: "Ours" }));
