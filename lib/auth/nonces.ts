import "server-only";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { db } from "@/lib/db/client";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { hashToken } from "@/lib/kernel/crypto/tokens";
import { newId } from "@/lib/kernel/ids";

/** How long a nonce is good for. */
export const NONCE_SECONDS = 300;

/** What a nonce is given out for; it opens nothing else. */
export type NoncePurpose = "password" | "passkey-login";

function mac(purpose: NoncePurpose, body: string): string {
  const key = createHmac("sha256", masterKeys().current.key).update(`nonce for ${purpose}`).digest();
  return createHmac("sha256", key).update(body).digest("base64url");
}

/**
 * A nonce: random bits and the time, authenticated. Nothing is written when one is handed out, so that asking for
 * millions costs the database nothing; only its use is recorded.
 */
export function issueNonce(purpose: NoncePurpose, now: Date): string {
  const body = `${randomBytes(16).toString("base64url")}.${Math.floor(now.getTime() / 1000)}`;
  return `${body}.${mac(purpose, body)}`;
}

/** When an authentic nonce ends; null for anything else. */
export function nonceExpiry(purpose: NoncePurpose, nonce: string): Date | null {
  const match = /^([A-Za-z0-9_-]{22}\.(\d{1,12}))\.([A-Za-z0-9_-]{43})$/.exec(nonce);
  if (!match) return null;
  const [, body, seconds, sent] = match as unknown as [string, string, string, string];
  // As texts: some that differ in their last letter are the same bytes, and each would be another nonce.
  if (!timingSafeEqual(Buffer.from(mac(purpose, body)), Buffer.from(sent))) return null;
  return new Date((Number(seconds) + NONCE_SECONDS) * 1000);
}

/**
 * Uses a nonce up, over all instances: of several who come with one at the same moment, one succeeds.
 * @returns whether it was good: of our own making for this purpose, not too old, not used before
 */
export async function spendNonce(purpose: NoncePurpose, nonce: string, now: Date): Promise<boolean> {
  const expiresAt = nonceExpiry(purpose, nonce);
  if (expiresAt === null || expiresAt <= now) return false;
  // The hash is unique, so its use cannot be recorded twice. The record must outlive the nonce (see the sweep).
  const { count } = await db.oneTimeToken.createMany({
    data: [{ id: newId(), purpose: "nonce", subject: "", hash: hashToken(nonce), expiresAt, usedAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}
