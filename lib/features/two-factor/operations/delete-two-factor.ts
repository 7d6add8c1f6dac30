import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { endSessions, lockSession } from "@/lib/auth/sessions";
import { checkProof, takeProof } from "@/lib/features/two-factor/internal/proof";
import { requestNotice } from "@/lib/jobs/mail";
import { removeTwoFactor } from "../data";
import { deleteTwoFactorInput } from "../schema";

/** Turns the caller's two-factor authentication off and ends all their sessions. */
export const deleteTwoFactor = defineCommand({
  area: "auth",
  name: "delete-two-factor",
  summary: "Turn two-factor authentication off",
  access: "user",
  secondFactor: "inInput",
  input: deleteTwoFactorInput,
  output: z.undefined(),
  status: 204,
  errors: ["invalid_otp", "two_factor_disabled"],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "TwoFactor", action: "delete" },
  async prepare({ actor, input, db, request }) {
    const { userId, sessionId } = actor;
    return { userId, sessionId, proof: await checkProof(db, userId, input, request) };
  },
  async handler({ prepared, tx, request, session }) {
    const { userId, sessionId, proof } = prepared;
    await takeProof(tx, userId, proof, request.now);
    await lockSession(tx, { userId, sessionId });
    await removeTwoFactor(tx, userId);
    await endSessions(tx, userId);
    await requestNotice(tx, { purpose: "two-factor-disabled", userId }, request);
    session.end();
    return { output: undefined, audit: { recordId: userId, changes: { enabled: [true, false] } } };
  },
});
