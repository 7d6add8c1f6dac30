import { simpleSample } from "@/lib/testing/sample";
import { exportDevices } from "./export-devices";

export const sample = simpleSample(exportDevices, () => ({}));
