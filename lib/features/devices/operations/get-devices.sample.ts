import { simpleSample } from "@/lib/testing/sample";
import { getDevices } from "./get-devices";

export const sample = simpleSample(getDevices, () => ({}));
