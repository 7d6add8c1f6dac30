import "server-only";
import { defineCommand } from "@/lib/api/operation";
import type { Changes } from "@/lib/audit/write";
import { redeemRequestChallenge, userHandle, verifyRequest } from "@/lib/auth/passkeys";
import { countSignInTry } from "@/lib/auth/sign-in-throttle";
import { beginSession, recordSignIn } from "@/lib/features/auth/data";
import { signedInSchema } from "@/lib/features/auth/schema";
import { ApiError } from "@/lib/kernel/errors";
import { findByCredential, recordUse } from "../data";
import { validateLoginWithPasskeyInput } from "../schema";

function refused(userId: string | null): ApiError {
  return new ApiError("invalid_passkey", {
    failureRecord: { table: "Session", action: "sign-in-failed", recordId: userId },
  });
}

/**
 * Signs in with a passkey, which counts as both factors: something that the person has, and a finger, face or PIN.
 * Every refusal gives the same response.
 */
export const validateLoginWithPasskey = defineCommand({
  area: "auth",
  name: "validate-login-with-passkey",
  summary: "Sign in with the passkey that the user has selected",
  access: "public",
  signsIn: true,
  input: validateLoginWithPasskeyInput,
  output: signedInSchema,
  status: 200,
  errors: ["invalid_passkey"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  audit: { table: "Session", action: "sign-in" },
  async prepare({ input, db, request }) {
    const { response: sent } = input;
    // The account is not known yet, so tries are counted for the credential.
    const counted = await countSignInTry(`passkey ${sent.id}`, request);
    const challenge = await redeemRequestChallenge(sent, "passkey-login", request.now);
    const passkey = await findByCredential(db, Buffer.from(sent.id, "base64url"));
    // Verified in any case, so that the time does not reveal which passkeys exist.
    const use = await verifyRequest(sent, challenge ?? "", passkey);
    const rightful = passkey?.user.status === "active" && sent.response.userHandle === userHandle(passkey.userId);
    if (challenge === null || passkey === null || use === null || !rightful) throw refused(passkey?.userId ?? null);
    await counted.succeeded();
    return { passkeyId: passkey.id, userId: passkey.userId, use };
  },
  async handler(context) {
    const { prepared, tx, request } = context;
    const { passkeyId, userId, use } = prepared;
    if (!(await recordUse(tx, passkeyId, use, request.now))) throw refused(userId);
    const user = await recordSignIn(tx, { userId, at: request.now });
    if (user === null) throw refused(userId);
    const changes = { passkeyId: [null, passkeyId] } satisfies Changes;
    return beginSession(context, { user, method: "passkey", secondFactor: true, changes });
  },
});
