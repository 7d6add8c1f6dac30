import "server-only";
import { createHash, randomInt } from "node:crypto";
import { issueToken, redeemToken } from "@/lib/auth/one-time-tokens";
import type { Db } from "@/lib/db/client";

/** The challenge of a verifier (RFC 7636, 4.2, method S256). */
export function challengeOf(codeVerifier: string): string {
  return createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
}

/** A code opens nothing without the verifier and the address that it was issued for. */
function bindingOf(codeChallenge: string, redirectUri: string | undefined): string {
  return `${codeChallenge}.${redirectUri ?? ""}`;
}

/** Without characters that are taken for others. */
const LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
/** 30^8 codes: one has to be guessed within ten minutes, of a request whose secret the guesser has. */
const LETTERS_OF_CODE = 8;

/** A code that a person types, as "ABCD-2345". */
function typedCode(): string {
  const letters = Array.from({ length: LETTERS_OF_CODE }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** A code as it was issued, of one that was typed in any case, with or without its hyphen. */
function asIssued(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/**
 * Issues a code for the session in which a person has let a tool sign in.
 * @param request.redirectUri left out for a code that a person types
 */
export async function issueCode(
  tx: Db,
  { sessionId, codeChallenge, redirectUri }: { sessionId: string; codeChallenge: string; redirectUri?: string },
  now: Date,
): Promise<string> {
  const binding = bindingOf(codeChallenge, redirectUri);
  const kind =
    redirectUri === undefined ? { purpose: "tool-code" as const, token: typedCode() } : { purpose: "tool" as const };
  const { token } = await issueToken(tx, { ...kind, subject: sessionId, binding, now });
  return token;
}

/** Redeems a code. @returns the session in which it was issued; null if the code is unknown, used, expired or of another tool */
export async function redeemCode(
  tx: Db,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri?: string },
  now: Date,
): Promise<string | null> {
  const binding = bindingOf(challengeOf(codeVerifier), redirectUri);
  const redeemed =
    redirectUri === undefined
      ? await redeemToken(tx, { purpose: "tool-code", token: asIssued(code), binding, now })
      : await redeemToken(tx, { purpose: "tool", token: code, binding, now });
  return redeemed?.subject ?? null;
}
