import "server-only";
import type { Db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
import { deletePasskeysOf } from "@/lib/features/passkeys/data";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { newId } from "@/lib/kernel/ids";

/** The stored state of a user's authenticator app. */
interface TwoFactorRow {
  secret: Uint8Array;
  /** Null until the enrollment is validated. */
  enabledAt: Date | null;
  /** The time step of the last accepted code. */
  lastUsedStep: bigint | null;
}

const place = (userId: string) => ({ table: "TwoFactor", id: userId, column: "secret" });

/** Opens the secret of a user. @returns base32 */
export function openSecret(userId: string, row: Pick<TwoFactorRow, "secret">): string {
  return unseal(row.secret, place(userId)).toString();
}

export function findTwoFactor(db: Db, userId: string): Promise<TwoFactorRow | null> {
  return db.twoFactor.findUnique({ where: { userId } });
}

/**
 * Stores the secret of an enrollment, which replaces that of an earlier enrollment.
 * @returns false if the second factor is on; then nothing is changed
 */
export async function beginEnrollment(tx: Db, userId: string, secret: string): Promise<boolean> {
  const sealed = seal(secret, place(userId));
  const kept = await queryRows(
    tx,
    sql`
    INSERT INTO "TwoFactor" ("userId", "secret") VALUES (${userId}::uuid, ${sealed})
    ON CONFLICT ("userId") DO UPDATE SET "secret" = EXCLUDED."secret" WHERE "TwoFactor"."enabledAt" IS NULL
    RETURNING 1 AS "kept"`,
  );
  return kept.length === 1;
}

/**
 * Switches on a second factor whose secret was proved by a code.
 * @returns false if it is on already, or the secret was replaced in the meantime
 */
export async function enableTwoFactor(
  tx: Db,
  userId: string,
  proved: { secret: Uint8Array; step: bigint; now: Date },
): Promise<boolean> {
  const { count } = await tx.twoFactor.updateMany({
    where: { userId, enabledAt: null, secret: Uint8Array.from(proved.secret) },
    data: { enabledAt: proved.now, lastUsedStep: proved.step },
  });
  return count === 1;
}

/**
 * Uses the time step of a correct code, which works once. Of two simultaneous requests, one gets false, as does a code of
 * a secret that was replaced.
 */
export async function takeStep(
  tx: Db,
  userId: string,
  { secret, step }: { secret: Uint8Array; step: bigint },
): Promise<boolean> {
  const { count } = await tx.twoFactor.updateMany({
    where: {
      userId,
      enabledAt: { not: null },
      secret: Uint8Array.from(secret),
      OR: [{ lastUsedStep: null }, { lastUsedStep: { lt: step } }],
    },
    data: { lastUsedStep: step },
  });
  return count === 1;
}

/** Whether a recovery code is one of the user's unused ones. */
export async function isRecoveryCode(db: Db, userId: string, hash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return (await db.recoveryCode.count({ where: { userId, hash, usedAt: null } })) === 1;
}

/** Uses a recovery code, which works once. Of two simultaneous requests, one gets false. */
export async function takeRecoveryCode(
  tx: Db,
  userId: string,
  hash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<boolean> {
  // Before the codes, as by all who change or remove both.
  await queryRows(tx, sql`SELECT 1 FROM "TwoFactor" WHERE "userId" = ${userId}::uuid FOR NO KEY UPDATE`);
  const { count } = await tx.recoveryCode.updateMany({ where: { userId, hash, usedAt: null }, data: { usedAt: now } });
  return count === 1;
}

/** Replaces a user's recovery codes. */
export async function replaceRecoveryCodes(tx: Db, userId: string, hashes: Uint8Array<ArrayBuffer>[]): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({ data: hashes.map((hash) => ({ id: newId(), userId, hash })) });
}

export function countRecoveryCodesLeft(db: Db, userId: string): Promise<number> {
  return db.recoveryCode.count({ where: { userId, usedAt: null } });
}

/**
 * Removes all factors of a user who has lost them: the authenticator app, the recovery codes and the passkeys, also those that
 * are being added at the same time. Without a factor that is left, the user could not prove one to remove the others.
 * @returns what was removed
 */
export async function removeFactors(tx: Db, userId: string): Promise<{ twoFactor: boolean; passkeys: number }> {
  // A proof locks the factor and then the user, and so does this, so that neither waits for the other. A call that adds a
  // factor has locked the user when it commits: what it added is removed once that lock is held.
  const known = await removeKnownFactors(tx, userId);
  await lockRow(tx, "User", userId);
  const added = await removeKnownFactors(tx, userId);
  return { twoFactor: known.twoFactor || added.twoFactor, passkeys: known.passkeys + added.passkeys };
}

async function removeKnownFactors(tx: Db, userId: string): Promise<{ twoFactor: boolean; passkeys: number }> {
  return { twoFactor: await removeTwoFactor(tx, userId), passkeys: await deletePasskeysOf(tx, userId) };
}

/** Removes the secret and the recovery codes. @returns false if the second factor was not on */
export async function removeTwoFactor(tx: Db, userId: string): Promise<boolean> {
  const { count } = await tx.twoFactor.deleteMany({ where: { userId, enabledAt: { not: null } } });
  await tx.recoveryCode.deleteMany({ where: { userId } });
  return count === 1;
}
