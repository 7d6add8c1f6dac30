import { releaseSample } from "@/lib/testing/releases";
import { getBuild } from "./get-build";

export const sample = releaseSample(getBuild);
