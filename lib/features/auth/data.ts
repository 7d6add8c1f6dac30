import "server-only";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import { visibleEnvironments } from "@/lib/features/environments/data";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import type { Reach } from "@/lib/permissions/reach";
import type { User } from "./schema";

const withRole = { role: true, twoFactor: { select: { enabledAt: true } } } satisfies Prisma.UserInclude;
export type UserRow = Prisma.UserGetPayload<{ include: typeof withRole }>;

/** A user's row as the API shows it. */
export function toUser(row: UserRow): User {
  return {
    id: row.id,
    firstNames: row.firstNames,
    lastNames: row.lastNames,
    email: row.email,
    team: row.team,
    role: { id: row.role.id, name: row.role.name },
    provider: row.provider,
    status: row.status,
    avatarUrl: row.avatarFileId && fileUrl(row.avatarFileId),
    twoFactorEnabled: row.twoFactor?.enabledAt != null,
  };
}

/**
 * The id of the user with an e-mail, whatever its case, by one statement that costs the same for everybody. Not by
 * Prisma's insensitive mode, which takes `_` and `%` for wildcards.
 */
export async function userIdByEmail(db: Db, email: string): Promise<string | null> {
  const rows = await queryRows<{ id: string }>(db, sql`SELECT "id" FROM "User" WHERE lower("email") = lower(${email})`);
  return rows[0]?.id ?? null;
}

export function findUser(db: Db, id: string): Promise<UserRow | null> {
  return db.user.findUnique({ where: { id }, include: withRole });
}

export function updateUser(db: Db, id: string, data: Prisma.UserUncheckedUpdateInput): Promise<UserRow> {
  return db.user.update({ where: { id }, data, include: withRole });
}

/** The permissions of a role with the apps that they name. */
export function rolePermissions(db: Db, roleId: string) {
  const app = { select: { id: true, name: true, status: true } } as const;
  return db.rolePermission.findMany({
    where: { roleId },
    orderBy: { id: "asc" },
    include: { targets: { include: { app }, orderBy: [{ app: { name: "asc" } }, { appId: "asc" }] } },
  });
}

/** The environments of some apps that a caller may see, by name; for the reaches, see `visibleEnvironments`. */
export function namedEnvironments(db: Db, appIds: string[], reach: { reached: Reach; writable: Reach }) {
  return db.environment.findMany({
    where: { AND: [{ appId: { in: appIds } }, visibleEnvironments(reach.reached, reach.writable)] },
    select: { id: true, name: true, appId: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
}

/** Whether a user `u` may sign in by e-mail, as a condition. */
const SIGNS_IN_BY_EMAIL = sql`u."status" = 'active' AND u."provider" = 'email'
  AND EXISTS (SELECT 1 FROM "AuthProvider" p WHERE p."provider" = 'email' AND p."enabled")`;

/**
 * Who an e-mail belongs to, with the hash behind their sign-in, null for whoever may not sign in that way; by one
 * statement that costs the same for everybody.
 * @returns null where it belongs to nobody
 */
export async function signInCandidate(
  db: Db,
  email: string,
): Promise<{ userId: string; passwordHash: string | null } | null> {
  const [candidate] = await queryRows<{ userId: string; passwordHash: string | null }>(
    db,
    sql`
      SELECT u."id" AS "userId", CASE WHEN ${SIGNS_IN_BY_EMAIL} THEN u."passwordHash" END AS "passwordHash"
      FROM "User" u WHERE lower(u."email") = lower(${email})`,
    { prepared: true },
  );
  return candidate ?? null;
}

/**
 * Records a sign-in by password, only while the user may still sign in and has the password that was verified. It locks
 * the user's row, so that a reset that comes later ends the session that follows.
 * @param signIn.betterHash takes the place of the verified hash
 * @returns the user; null where the password or the right to sign in has changed since it was verified
 */
export async function recordPasswordSignIn(
  tx: Db,
  signIn: { userId: string; verifiedHash: string; betterHash?: string; at: Date },
): Promise<UserRow | null> {
  const { userId, verifiedHash, betterHash = verifiedHash, at } = signIn;
  const updated = await queryRows(
    tx,
    sql`
    UPDATE "User" u SET "lastSignInAt" = ${at}, "updatedAt" = ${at}, "passwordHash" = ${betterHash}
    WHERE u."id" = ${userId}::uuid AND u."passwordHash" = ${verifiedHash} AND ${SIGNS_IN_BY_EMAIL}
    RETURNING u."id"`,
  );
  return updated.length === 1 ? findUser(tx, userId) : null;
}
