import { simpleSample } from "@/lib/testing/sample";
import { getAppConfig } from "./get-app-config";

export const sample = simpleSample(getAppConfig, () => ({}));
