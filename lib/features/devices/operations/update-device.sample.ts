import { ownedDeviceSample } from "@/lib/testing/devices";
import { updateDevice } from "./update-device";

export const sample = ownedDeviceSample(updateDevice, (id) => ({ id, name: "Another name" }));
