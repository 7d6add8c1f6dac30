import { releaseSample } from "@/lib/testing/releases";
import { getInstallMatrix } from "./get-install-matrix";

export const sample = releaseSample(getInstallMatrix);
