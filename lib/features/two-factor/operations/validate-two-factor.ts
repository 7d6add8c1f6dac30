import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { passSecondFactor } from "@/lib/auth/sessions";
import { checkProof, takeProof } from "@/lib/features/two-factor/internal/proof";
import { requestNotice } from "@/lib/jobs/mail";
import { countRecoveryCodesLeft } from "../data";
import { validateTwoFactorInput } from "../schema";

/** Passes the second factor with a code of the app or a recovery code. The session gets a new token. */
export const validateTwoFactor = defineCommand({
  area: "auth",
  name: "validate-two-factor",
  summary: "Pass the second factor with a code or a recovery code",
  access: "partial-session",
  signsIn: true,
  input: validateTwoFactorInput,
  output: z.object({ exp: z.number().int() }),
  status: 200,
  errors: ["invalid_otp", "two_factor_disabled"],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "Session", action: "second-factor" },
  async prepare({ actor, input, db, request }) {
    const proof = await checkProof(db, actor.userId, input, request);
    return { userId: actor.userId, sessionId: actor.sessionId, proof };
  },
  async handler({ prepared, tx, request, session }) {
    const { userId, sessionId, proof } = prepared;
    await takeProof(tx, userId, proof, request.now);
    const by = "step" in proof ? "totp" : "recovery-code";
    const passed = await passSecondFactor(tx, sessionId, request.now, { confirmed: by === "totp" });
    session.begin(passed);
    if (by === "recovery-code") {
      const codesLeft = await countRecoveryCodesLeft(tx, userId);
      await requestNotice(tx, { purpose: "recovery-code-used", userId, codesLeft }, request);
    }
    return { output: { exp: passed.exp }, audit: { recordId: passed.sessionId, changes: { by: [null, by] } } };
  },
});
