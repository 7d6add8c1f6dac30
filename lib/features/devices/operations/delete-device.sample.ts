import { ownedDeviceSample } from "@/lib/testing/devices";
import { deleteDevice } from "./delete-device";

export const sample = ownedDeviceSample(deleteDevice, (id) => ({ id }));
