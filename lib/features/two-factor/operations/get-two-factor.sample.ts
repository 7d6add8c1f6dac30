import { simpleSample } from "@/lib/testing/sample";
import { getTwoFactor } from "./get-two-factor";

export const sample = simpleSample(getTwoFactor, () => ({}));
