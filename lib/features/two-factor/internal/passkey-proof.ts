import "server-only";
import { type CredentialUse, confirmationOf, redeemRequestChallenge, verifyRequest } from "@/lib/auth/passkeys";
import { countSignInTry } from "@/lib/auth/sign-in-throttle";
import type { Db } from "@/lib/db/client";
import { findByCredential, recordUse } from "@/lib/features/passkeys/data";
import type { AuthenticationResponse } from "@/lib/features/passkeys/schema";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import type { UserActor } from "@/lib/permissions/actor";

/** A use of a passkey that was verified and has not been recorded yet. */
interface CheckedPasskey {
  passkeyId: string;
  use: CredentialUse;
}

function invalidPasskey(userId: string): ApiError {
  return new ApiError("invalid_passkey", {
    failureRecord: { table: "Session", action: "second-factor-failed", recordId: userId },
  });
}

/**
 * Verifies the response of one of the user's passkeys to a challenge of this session, and counts failures as at sign-in.
 * @throws ApiError invalid_passkey, rate_limited
 */
export async function checkPasskey(
  db: Db,
  { userId, sessionId }: Pick<UserActor, "userId" | "sessionId">,
  sent: AuthenticationResponse,
  request: Pick<RequestFacts, "now" | "ip" | "headers">,
): Promise<CheckedPasskey> {
  const counted = await countSignInTry(`passkey ${sent.id}`, request);
  const challenge = await redeemRequestChallenge(sent, confirmationOf(sessionId), request.now);
  const passkey = await findByCredential(db, Buffer.from(sent.id, "base64url"));
  const use = challenge === null ? null : await verifyRequest(sent, challenge, passkey);
  if (passkey === null || use === null || passkey.userId !== userId) throw invalidPasskey(userId);
  await counted.succeeded();
  return { passkeyId: passkey.id, use };
}

/** Records the use. @throws ApiError invalid_passkey if the counter has not increased */
export async function takePasskey(
  tx: Db,
  userId: string,
  { passkeyId, use }: CheckedPasskey,
  now: Date,
): Promise<void> {
  if (!(await recordUse(tx, passkeyId, use, now))) throw invalidPasskey(userId);
}
