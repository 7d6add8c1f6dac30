import "server-only";
import type { CredentialUse } from "@/lib/auth/passkeys";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { lockRow } from "@/lib/db/locks";
import { ApiError } from "@/lib/kernel/errors";
import { ownerOf } from "@/lib/permissions/actor";
import type { OwnedTarget } from "@/lib/permissions/authorize";
import type { Passkey } from "./schema";

type PasskeyRow = Prisma.PasskeyGetPayload<object>;

/** Converts a passkey's row to the API's representation. */
export function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    registrant: row.registrant,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    backedUp: row.backedUp,
  };
}

/** A user's passkeys, newest first. */
export function passkeysOf(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db.passkey.findMany({ where: { userId }, orderBy: { id: "desc" } });
}

/** Counts a user's passkeys. No other transaction can add one until this one ends. */
export async function countPasskeysLocked(tx: Db, userId: string): Promise<number> {
  await lockRow(tx, "User", userId);
  return tx.passkey.count({ where: { userId } });
}

export function createPasskey(tx: Db, data: Prisma.PasskeyUncheckedCreateInput): Promise<PasskeyRow> {
  return tx.passkey.create({ data });
}

/** Deletes a user's passkeys. @returns how many there were */
export async function deletePasskeysOf(tx: Db, userId: string): Promise<number> {
  const { count } = await tx.passkey.deleteMany({ where: { userId } });
  return count;
}

/** A passkey by its credential id, with the status of its owner. */
export function findByCredential(db: Db, credentialId: Uint8Array) {
  return db.passkey.findUnique({
    where: { credentialId: Uint8Array.from(credentialId) },
    include: { user: { select: { status: true } } },
  });
}

/**
 * Records the use of a passkey. If it has a counter, the counter must be higher than the stored one, so that of two copies
 * of an authenticator that respond simultaneously, one is refused.
 * @returns whether it was recorded
 */
export async function recordUse(tx: Db, id: string, use: CredentialUse, now: Date): Promise<boolean> {
  const { count } = await tx.passkey.updateMany({
    where: { id, counter: use.counter === 0n ? 0n : { lt: use.counter } },
    data: { counter: use.counter, backedUp: use.backedUp, lastUsedAt: now },
  });
  return count === 1;
}

/** The target of a call on a passkey. */
export async function passkeyTarget(db: Db, id: string): Promise<(OwnedTarget & { passkey: PasskeyRow }) | null> {
  const passkey = await db.passkey.findUnique({ where: { id } });
  return passkey && { owner: ownerOf({ kind: "user", userId: passkey.userId }), passkey };
}

/**
 * Deletes a passkey.
 * @throws ApiError not_found if it has been deleted in the meantime
 */
export async function deletePasskey(tx: Db, id: string): Promise<void> {
  const { count } = await tx.passkey.deleteMany({ where: { id } });
  if (count === 0) throw new ApiError("not_found");
}
