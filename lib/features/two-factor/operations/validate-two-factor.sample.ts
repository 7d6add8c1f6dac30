import { twoFactorSample } from "@/lib/testing/two-factor";
import { validateTwoFactor } from "./validate-two-factor";

export const sample = twoFactorSample(validateTwoFactor);
