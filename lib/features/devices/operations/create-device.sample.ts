import { newUdid } from "@/lib/testing/devices";
import { simpleSample } from "@/lib/testing/sample";
import { createDevice } from "./create-device";

export const sample = simpleSample(createDevice, () => ({ name: "iPhone of Ada", udid: newUdid() }));
