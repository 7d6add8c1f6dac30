import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { countRecoveryCodesLeft, findTwoFactor } from "../data";
import { twoFactorSchema } from "../schema";

/** Whether the caller's second factor is on. */
export const getTwoFactor = defineQuery({
  area: "auth",
  name: "get-two-factor",
  summary: "Get whether the caller’s two-factor authentication is on, and how many recovery codes are left",
  access: "user",
  input: z.strictObject({}),
  output: twoFactorSchema,
  errors: [],
  async handler({ actor, db }) {
    const [twoFactor, recoveryCodesLeft] = await Promise.all([
      findTwoFactor(db, actor.userId),
      countRecoveryCodesLeft(db, actor.userId),
    ]);
    const enabledAt = twoFactor?.enabledAt ?? null;
    return { enabled: enabledAt !== null, enabledAt: enabledAt?.toISOString() ?? null, recoveryCodesLeft };
  },
});
