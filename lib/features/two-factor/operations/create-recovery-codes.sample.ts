import { twoFactorSample } from "@/lib/testing/two-factor";
import { createRecoveryCodes } from "./create-recovery-codes";

export const sample = twoFactorSample(createRecoveryCodes);
