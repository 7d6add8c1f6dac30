import { releaseSample } from "@/lib/testing/releases";
import { getReleaseDevices } from "./get-release-devices";

export const sample = releaseSample(getReleaseDevices);
