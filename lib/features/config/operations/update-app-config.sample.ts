import { simpleSample } from "@/lib/testing/sample";
import { updateAppConfig } from "./update-app-config";

export const sample = simpleSample(updateAppConfig, () => ({ name: "Slipway", description: "Ours" }));
