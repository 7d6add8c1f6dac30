import { twoFactorSample } from "@/lib/testing/two-factor";
import { confirmSecondFactor } from "./confirm-second-factor";

export const sample = twoFactorSample(confirmSecondFactor);
