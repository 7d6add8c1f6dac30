import { simpleSample } from "@/lib/testing/sample";
import { getSecondFactorOptions } from "./get-second-factor-options";

export const sample = simpleSample(getSecondFactorOptions, () => ({}));
