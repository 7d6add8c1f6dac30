import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { hashRecoveryCode, newRecoveryCodes } from "@/lib/auth/recovery-codes";
import { checkProof, takeProof } from "@/lib/features/two-factor/internal/proof";
import { requestNotice } from "@/lib/jobs/mail";
import { replaceRecoveryCodes } from "../data";
import { createRecoveryCodesInput, recoveryCodesSchema } from "../schema";

/** Creates a new set of recovery codes, which replaces the earlier ones. */
export const createRecoveryCodes = defineCommand({
  area: "auth",
  name: "create-recovery-codes",
  summary: "Replace the caller’s recovery codes",
  access: "user",
  secondFactor: "inInput",
  input: createRecoveryCodesInput,
  output: recoveryCodesSchema,
  status: 201,
  errors: ["invalid_otp", "two_factor_disabled"],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "RecoveryCode", action: "create" },
  async prepare({ actor, input, db, request }) {
    return { userId: actor.userId, proof: await checkProof(db, actor.userId, input, request) };
  },
  async handler({ prepared, tx, request }) {
    const { userId, proof } = prepared;
    await takeProof(tx, userId, proof, request.now);
    const recoveryCodes = newRecoveryCodes();
    await replaceRecoveryCodes(tx, userId, recoveryCodes.map(hashRecoveryCode));
    await requestNotice(tx, { purpose: "recovery-codes-replaced", userId }, request);
    return { output: { recoveryCodes }, audit: { recordId: userId, changes: {} } };
  },
});
