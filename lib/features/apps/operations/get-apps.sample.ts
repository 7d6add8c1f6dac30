import { simpleSample } from "@/lib/testing/sample";
import { getApps } from "./get-apps";

export const sample = simpleSample(getApps, () => ({}));
