import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { confirmSecondFactor as noteConfirmation, passSecondFactor } from "@/lib/auth/sessions";
import { checkPasskey, takePasskey } from "@/lib/features/two-factor/internal/passkey-proof";
import { checkProof, takeProof } from "@/lib/features/two-factor/internal/proof";
import { RECENT_SECOND_FACTOR_MS } from "@/lib/permissions/second-factor";
import { confirmSecondFactorInput, secondFactorConfirmedSchema } from "../schema";

/**
 * Confirms the second factor of a session, so that operations that require a recent one are open to it for 15 minutes. A
 * session that has not passed a second factor (a user who has only passkeys has signed in without one) passes it by this
 * call and gets a new token.
 */
export const confirmSecondFactor = defineCommand({
  area: "auth",
  name: "confirm-second-factor",
  summary: "Confirm the second factor, for the operations that require a recent one",
  access: "user",
  input: confirmSecondFactorInput,
  output: secondFactorConfirmedSchema,
  status: 200,
  errors: ["invalid_otp", "invalid_passkey", "two_factor_disabled"],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "Session", action: "confirm-second-factor" },
  async prepare({ actor, input: { code, response }, db, request }) {
    if (response) return { actor, by: "passkey" as const, proof: await checkPasskey(db, actor, response, request) };
    return { actor, by: "totp" as const, proof: await checkProof(db, actor.userId, { code }, request) };
  },
  async handler({ prepared, tx, request, session }) {
    const { userId, sessionId, secondFactor } = prepared.actor;
    const { now } = request;
    if (prepared.by === "passkey") await takePasskey(tx, userId, prepared.proof, now);
    else await takeProof(tx, userId, prepared.proof, now);
    let confirmed = sessionId;
    if (secondFactor) {
      await noteConfirmation(tx, sessionId, now);
    } else {
      const passed = await passSecondFactor(tx, sessionId, now);
      session.begin(passed);
      confirmed = passed.sessionId;
    }
    return {
      output: { validUntil: new Date(now.getTime() + RECENT_SECOND_FACTOR_MS).toISOString() },
      audit: { recordId: confirmed, changes: { by: [null, prepared.by] } },
    };
  },
});
