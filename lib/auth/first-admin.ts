import "server-only";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
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
  const rows = await queryRows(
    db,
    sql`SELECT 1 FROM "User" u JOIN "Role" r ON r."id" = u."roleId" WHERE r."name" = ${SUPER_ADMIN} LIMIT 1`,
  );
  return rows.length > 0;
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
