import { simpleSample } from "@/lib/testing/sample";
import { startDeviceEnrollment } from "./start-device-enrollment";

export const sample = simpleSample(startDeviceEnrollment, () => ({ name: "Phone of Ada" }));
