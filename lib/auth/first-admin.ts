import "server-only";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { ApiError } from "@/lib/kernel/errors";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { newId } from "@/lib/kernel/ids";
import { SUPER_ADMIN } from "@/lib/permissions/actor";

/** Serializes the creation of the first administrator and of the setup link, over all instances. */
export async function lockSetup(tx: Db): Promise<void> {
  await lockUntilCommit(tx, "setup");
}

/** Whether a user with the role SUPER_ADMIN exists. */
export async function hasSuperAdmin(db: Db): Promise<boolean> {
  return (await db.user.count({ where: { role: { name: SUPER_ADMIN } }, take: 1 })) > 0;
}

/**
 * Creates the first SUPER_ADMIN. Of two simultaneous attempts, one succeeds.
 * @returns the new user's id
 * @throws ApiError already_set_up
 */
export async function createFirstAdmin(
  tx: Db,
  admin: { firstNames: string; lastNames: string; email: string; passwordHash: string; locale: Locale | null },
): Promise<string> {
  await lockSetup(tx);
  if (await hasSuperAdmin(tx)) throw new ApiError("already_set_up");
  const role = await tx.role.findFirstOrThrow({ where: { name: SUPER_ADMIN }, select: { id: true } });
  const { id } = await tx.user.create({ data: { ...admin, id: newId(), roleId: role.id, provider: "email" } });
  return id;
}
