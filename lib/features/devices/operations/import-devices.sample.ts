import { newUdid } from "@/lib/testing/devices";
import { simpleSample } from "@/lib/testing/sample";
import { importDevices } from "./import-devices";

export const sample = simpleSample(importDevices, () => ({ text: `${newUdid()}\tiPhone of Ada\tios` }));
