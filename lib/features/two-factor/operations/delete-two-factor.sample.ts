import { twoFactorSample } from "@/lib/testing/two-factor";
import { deleteTwoFactor } from "./delete-two-factor";

export const sample = twoFactorSample(deleteTwoFactor);
