import { releaseSample } from "@/lib/testing/releases";
import { getInstallCheck } from "./get-install-check";

export const sample = releaseSample(getInstallCheck);
