import "server-only";
import { createHash } from "node:crypto";
import { issueToken, redeemToken } from "@/lib/auth/one-time-tokens";
import type { Db } from "@/lib/db/client";

/** The challenge of a verifier (RFC 7636, 4.2, method S256). */
export function challengeOf(codeVerifier: string): string {
  return createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
}

/** A code opens nothing without the verifier and the address that it was issued for. */
function bindingOf(codeChallenge: string, redirectUri: string): string {
  return `${codeChallenge}.${redirectUri}`;
}

/** Issues a code for the session in which a person has let a tool sign in. */
export async function issueCode(
  tx: Db,
  { sessionId, codeChallenge, redirectUri }: { sessionId: string; codeChallenge: string; redirectUri: string },
  now: Date,
): Promise<string> {
  const binding = bindingOf(codeChallenge, redirectUri);
  const { token } = await issueToken(tx, { purpose: "tool", subject: sessionId, binding, now });
  return token;
}

/** Redeems a code. @returns the session in which it was issued; null if the code is unknown, used, expired or of another tool */
export async function redeemCode(
  tx: Db,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
  now: Date,
): Promise<string | null> {
  const binding = bindingOf(challengeOf(codeVerifier), redirectUri);
  const redeemed = await redeemToken(tx, { purpose: "tool", token: code, binding, now });
  return redeemed?.subject ?? null;
}
