import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { hashRecoveryCode, newRecoveryCodes } from "@/lib/auth/recovery-codes";
import { passSecondFactor } from "@/lib/auth/sessions";
import { totpStep } from "@/lib/auth/totp";
import { requestNotice } from "@/lib/jobs/mail";
import { ApiError } from "@/lib/kernel/errors";
import { enableTwoFactor, findTwoFactor, openSecret, replaceRecoveryCodes } from "../data";
import { recoveryCodesSchema, validateTwoFactorEnrollmentInput } from "../schema";

/**
 * Turns two-factor authentication on with the app's first code. Some apps ignore the algorithm SHA-256 and use SHA-1 (the
 * default of RFC 6238). Their codes are recognized, so that the error can name the cause.
 */
export const validateTwoFactorEnrollment = defineCommand({
  area: "auth",
  name: "validate-two-factor-enrollment",
  summary: "Turn two-factor authentication on with the first code of the app",
  access: "user",
  secondFactor: "recentIfEnrolled",
  input: validateTwoFactorEnrollmentInput,
  output: recoveryCodesSchema,
  status: 200,
  errors: ["invalid_otp", "two_factor_enabled", "two_factor_disabled"],
  rateLimit: { points: 20, seconds: 300, by: "actor" },
  audit: { table: "TwoFactor", action: "enable" },
  async prepare({ actor, input, db, request }) {
    const pending = await findTwoFactor(db, actor.userId);
    if (!pending) throw new ApiError("two_factor_disabled", { detailKey: "detailNotBegun" });
    if (pending.enabledAt !== null) throw new ApiError("two_factor_enabled");
    const secret = openSecret(actor.userId, pending);
    const step = totpStep(secret, input.code, request.now);
    if (step === null) {
      const bySha1 = totpStep(secret, input.code, request.now, "sha1") !== null;
      throw new ApiError("invalid_otp", { detailKey: bySha1 ? "detailSha1" : "detail" });
    }
    return { userId: actor.userId, sessionId: actor.sessionId, secret: pending.secret, step };
  },
  async handler({ prepared, tx, request, session }) {
    const { userId, sessionId, secret, step } = prepared;
    const { now } = request;
    if (!(await enableTwoFactor(tx, userId, { secret, step, now }))) {
      const enabled = (await findTwoFactor(tx, userId))?.enabledAt != null;
      throw enabled
        ? new ApiError("two_factor_enabled")
        : new ApiError("two_factor_disabled", { detailKey: "detailNotBegun" });
    }
    const recoveryCodes = newRecoveryCodes();
    await replaceRecoveryCodes(tx, userId, recoveryCodes.map(hashRecoveryCode));
    session.begin(await passSecondFactor(tx, sessionId, now));
    await requestNotice(tx, { purpose: "two-factor-enabled", userId }, request);
    return {
      output: { recoveryCodes },
      audit: { recordId: userId, changes: { enabledAt: [null, now.toISOString()] } },
    };
  },
});
