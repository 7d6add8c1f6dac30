import { releaseSample } from "@/lib/testing/releases";
import { runInstallCheck } from "./run-install-check";

export const sample = releaseSample(runInstallCheck);
