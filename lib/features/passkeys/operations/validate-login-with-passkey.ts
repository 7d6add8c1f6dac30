import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { redeemSignInChallenge, userHandle, verifySignIn } from "@/lib/auth/passkeys";
import { beginSession } from "@/lib/auth/sessions";
import { countSignInTry } from "@/lib/auth/sign-in-throttle";
import { toUser, updateUser } from "@/lib/features/auth/data";
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
 * Everything that can be wrong with it answers alike.
 */
export const validateLoginWithPasskey = defineCommand({
  area: "auth",
  name: "validate-login-with-passkey",
  summary: "Sign in with the passkey that the person has picked",
  access: "public",
  input: validateLoginWithPasskeyInput,
  output: signedInSchema,
  status: 200,
  errors: ["invalid_passkey"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  audit: { table: "Session", action: "sign-in" },
  async prepare({ input, db, request }) {
    const { response: sent } = input;
    // Nobody has said yet whose account it is: tries count for the credential, which is as good as its owner's name.
    const counted = await countSignInTry(`passkey ${sent.id}`, request.ip);
    const challenge = await redeemSignInChallenge(sent, request.now);
    const passkey = await findByCredential(db, Buffer.from(sent.id, "base64url"));
    // Checked in any case, so that the time taken does not tell which passkeys there are.
    const use = await verifySignIn(sent, challenge ?? "", passkey);
    const rightful = passkey?.user.status === "active" && sent.response.userHandle === userHandle(passkey.userId);
    if (challenge === null || passkey === null || use === null || !rightful) throw refused(passkey?.userId ?? null);
    await counted.succeeded();
    return { passkeyId: passkey.id, userId: passkey.userId, use };
  },
  async handler({ prepared, tx, request, session }) {
    const { passkeyId, userId, use } = prepared;
    if (!(await recordUse(tx, passkeyId, use, request.now))) throw refused(userId);
    const user = await updateUser(tx, userId, { lastSignInAt: request.now });
    if (user.status !== "active") throw refused(userId);
    const begun = await beginSession(tx, {
      userId,
      method: "passkey",
      secondFactor: true,
      now: request.now,
      ip: request.ip,
      userAgent: request.userAgent,
    });
    session.begin(begun);
    return {
      output: { user: toUser(user), exp: begun.exp, twoFactorRequired: false },
      audit: { recordId: begun.sessionId, changes: { passkeyId: [null, passkeyId] }, userId },
    };
  },
});
