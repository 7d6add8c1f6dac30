import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { newId } from "@/lib/kernel/ids";

/** The purposes of one-time tokens, with their lifetimes in seconds. A token is valid for its own purpose only. */
export const TOKEN_LIFETIME_SECONDS = {
  /** The link that makes the first administrator: valid until the next morning; each start prints a new one. */
  setup: 24 * 3_600,
  /** A link to a first password. */
  invitation: 7 * 86_400,
  /** A link to a new password. */
  recovery: 30 * 60,
  /** The challenge of a new passkey. */
  "passkey-create": 300,
  /** The use of a nonce; see `nonces.ts`. */
  nonce: 300,
  /** A sign-in that a provider has confirmed. */
  sso: 60,
  /** The code with which a command-line tool gets its session. */
  tool: 60,
  /** The code with which it does, which a person types. */
  "tool-code": 600,
  /** What iOS fetches to install a release. It is never redeemed, because iOS fetches repeatedly. */
  manifest: 15 * 60,
  /** What a device that is no iPhone fetches to install a release: in ranges, and again after an interruption. Never redeemed. */
  installer: 6 * 3_600,
  /** What a device fetches and answers to be registered as its user’s. */
  "device-enrollment": 30 * 60,
  /** That a browser has shown the password of a share link. */
  "share-link": 12 * 3_600,
} as const;
export type TokenPurpose = keyof typeof TOKEN_LIFETIME_SECONDS;

interface IssuedToken {
  /** 256 random bits in base64url, unless the caller gave another. Only its hash is stored. */
  token: string;
  expiresAt: Date;
}

/** A token as a caller presents it. */
export interface PresentedToken<P extends TokenPurpose = TokenPurpose> {
  token: string;
  /** The second half of a token that was issued with one. */
  binding?: string | null;
  /** The purpose that it must have been issued for, or several that are accepted. */
  purpose: P | readonly P[];
  /** The subject that it must have been issued for; any if left out. */
  subject?: string;
  now: Date;
}

/** The form in which a token is stored and looked up. */
function storedHash(token: string, binding?: string | null): Uint8Array<ArrayBuffer> {
  return hashToken(binding ? `${token}.${binding}` : token);
}

function purposesOf<P extends TokenPurpose>(purpose: P | readonly P[]): P[] {
  return [purpose].flat() as P[];
}

/**
 * Issues a token.
 * @param token.subject the ID of the user or release that it is for; empty if there is only one subject
 * @param token.binding a second secret that must be presented with it, such as one that travels in a cookie
 * @param token.visitor whose installation it is for
 * @param token.token a shorter one, where the binding has the 256 random bits
 */
export async function issueToken(
  tx: Db,
  {
    purpose,
    subject,
    binding,
    visitor,
    token = randomToken(),
    now,
  }: {
    purpose: TokenPurpose;
    subject: string;
    binding?: string | null;
    visitor?: string;
    token?: string;
    now: Date;
  },
): Promise<IssuedToken> {
  const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME_SECONDS[purpose] * 1000);
  const hash = storedHash(token, binding);
  await tx.oneTimeToken.create({ data: { id: newId(), purpose, subject, hash, visitor, createdAt: now, expiresAt } });
  return { token, expiresAt };
}

/**
 * Issues a token by one statement that also decides whether it is issued.
 * @param condition a statement, also one that changes rows, which returns a row if the token is to be issued
 * @returns null if it returned none
 */
export async function issueTokenIf(
  db: Db,
  { purpose, subject, visitor, now }: { purpose: TokenPurpose; subject: string; visitor?: string; now: Date },
  condition: Sql,
): Promise<IssuedToken | null> {
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME_SECONDS[purpose] * 1000);
  const issued = await queryRows(
    db,
    sql`
      WITH "allowed" AS (${condition})
      INSERT INTO "OneTimeToken" ("id", "purpose", "subject", "hash", "visitor", "createdAt", "expiresAt")
      SELECT ${newId()}::uuid, ${purpose}, ${subject}, ${storedHash(token)}, ${visitor ?? null}, ${now}, ${expiresAt} FROM "allowed" RETURNING 1`,
  );
  return issued.length === 0 ? null : { token, expiresAt };
}

/**
 * Looks up a token without using it, by one statement that is the same for known and unknown tokens.
 * @returns null if no such token was issued for this purpose (and subject), or it was revoked
 */
export async function peekToken<P extends TokenPurpose>(
  db: Db,
  { token, binding, purpose, subject, now }: PresentedToken<P>,
): Promise<{ purpose: P; subject: string; visitor: string | null; state: "valid" | "used" | "expired" } | null> {
  const [row] = await queryRows<{
    purpose: string;
    subject: string;
    visitor: string | null;
    usedAt: Date | null;
    expiresAt: Date;
  }>(
    db,
    sql`
      SELECT "purpose", "subject", "visitor", "usedAt", "expiresAt" FROM "OneTimeToken"
      WHERE "hash" = ${storedHash(token, binding)} AND "purpose" = ANY (${purposesOf(purpose)})
        AND (${subject ?? null}::text IS NULL OR "subject" = ${subject ?? null})`,
    { prepared: true },
  );
  if (!row) return null;
  const state = row.usedAt !== null ? "used" : row.expiresAt <= now ? "expired" : "valid";
  return { purpose: row.purpose as P, subject: row.subject, visitor: row.visitor, state };
}

/**
 * Redeems a token by one conditional update. Of several simultaneous callers, on any instance, one succeeds.
 * @returns what it was issued for; null if it is unknown, used, expired, revoked, or of another purpose or subject
 */
export async function redeemToken<P extends TokenPurpose>(
  tx: Db,
  { token, binding, purpose, subject, now }: PresentedToken<P>,
): Promise<{ purpose: P; subject: string } | null> {
  const [row] = await tx.oneTimeToken.updateManyAndReturn({
    where: {
      hash: storedHash(token, binding),
      purpose: { in: purposesOf(purpose) },
      subject,
      usedAt: null,
      expiresAt: { gt: now },
    },
    data: { usedAt: now },
    select: { purpose: true, subject: true },
  });
  return row ? { purpose: row.purpose as P, subject: row.subject } : null;
}

/**
 * Records the use of a token that proves itself and was therefore not stored when it was issued. The hash is unique, so
 * its use cannot be recorded twice. The record outlives the token (see the sweeper).
 * @param token.expiresAt as the token says
 * @returns false if it has been used before
 */
export async function redeemUnstoredToken(
  db: Db,
  { token, purpose, expiresAt, now }: { token: string; purpose: TokenPurpose; expiresAt: Date; now: Date },
): Promise<boolean> {
  const recorded = await queryRows(
    db,
    sql`
      INSERT INTO "OneTimeToken" ("id", "purpose", "subject", "hash", "createdAt", "expiresAt", "usedAt")
      VALUES (${newId()}::uuid, ${purpose}, '', ${storedHash(token)}, ${now}, ${expiresAt}, ${now})
      ON CONFLICT DO NOTHING RETURNING "id"`,
    { prepared: true },
  );
  return recorded.length === 1;
}

/** Revokes all tokens of some purposes that were issued for a subject: from the commit on, they are unknown. */
export async function revokeTokens(
  tx: Db,
  { purpose, subject }: { purpose: TokenPurpose | readonly TokenPurpose[]; subject: string },
): Promise<void> {
  await tx.oneTimeToken.deleteMany({ where: { purpose: { in: purposesOf(purpose) }, subject } });
}

/** Revokes one token: from now on, it is unknown. */
export async function revokeToken(db: Db, token: string): Promise<void> {
  await db.oneTimeToken.deleteMany({ where: { hash: storedHash(token) } });
}
