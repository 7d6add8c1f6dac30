import { simpleSample } from "@/lib/testing/sample";
import { getOwnDevices } from "./get-own-devices";

export const sample = simpleSample(getOwnDevices, () => ({}));
