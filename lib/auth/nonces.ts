import "server-only";
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import { db } from "@/lib/db/client";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { redeemUnstoredToken, TOKEN_LIFETIME_SECONDS } from "./one-time-tokens";

/** What a nonce is issued for; it is valid for nothing else. */
type NoncePurpose = "password" | "passkey-login" | `passkey-confirm ${string}`;

function mac(masterKey: KeyObject, purpose: NoncePurpose, body: string): string {
  const key = createHmac("sha256", masterKey).update(`nonce for ${purpose}`).digest();
  return createHmac("sha256", key).update(body).digest("base64url");
}

/**
 * A nonce: random bits and the time, authenticated. Nothing is stored when one is issued, so that asking for millions
 * costs the database nothing; only its use is recorded.
 */
export function issueNonce(purpose: NoncePurpose, now: Date): string {
  const body = `${randomBytes(16).toString("base64url")}.${Math.floor(now.getTime() / 1000)}`;
  return `${body}.${mac(masterKeys().current.key, purpose, body)}`;
}

/** When an authentic nonce expires; null for anything else. */
export function nonceExpiry(purpose: NoncePurpose, nonce: string): Date | null {
  const match = /^([A-Za-z0-9_-]{22}\.(\d{1,12}))\.([A-Za-z0-9_-]{43})$/.exec(nonce);
  if (!match) return null;
  const [, body, seconds, sent] = match as unknown as [string, string, string, string];
  // Compared as text: several last characters decode to the same bytes, and each would count as another nonce.
  const isOf = (masterKey: KeyObject) => timingSafeEqual(Buffer.from(mac(masterKey, purpose, body)), Buffer.from(sent));
  // Another instance may have issued it with a master key that is not the first one here.
  if (![...masterKeys().all.values()].some(isOf)) return null;
  return new Date((Number(seconds) + TOKEN_LIFETIME_SECONDS.nonce) * 1000);
}

/**
 * Redeems a nonce. Of several simultaneous callers, on any instance, one succeeds.
 * @returns whether it was issued here for this purpose, has not expired and has not been used
 */
export async function redeemNonce(purpose: NoncePurpose, nonce: string, now: Date): Promise<boolean> {
  const expiresAt = nonceExpiry(purpose, nonce);
  if (expiresAt === null || expiresAt <= now) return false;
  return redeemUnstoredToken(db, { token: nonce, purpose: "nonce", expiresAt, now });
}
