import "server-only";
import { isProviderEnabled } from "@/lib/auth/providers";
import type { Db } from "@/lib/db";
import { visibleEnvironments } from "@/lib/features/environments/data";
import type { Prisma } from "@/lib/generated/prisma/client";
import type { Reach } from "@/lib/permissions/reach";
import { fileUrl } from "@/lib/storage/file-url";
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
  const rows = await db.$queryRaw<{ id: string }[]>`SELECT "id" FROM "User" WHERE lower("email") = lower(${email})`;
  return rows[0]?.id ?? null;
}

/** The user with an e-mail, whatever its case. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const id = await userIdByEmail(db, email);
  return id === null ? null : findUser(db, id);
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

/** The hash behind a user's e-mail sign-in; null for whoever may not sign in that way. */
export async function signInCandidate(
  db: Db,
  email: string,
): Promise<{ user: UserRow | null; passwordHash: string | null }> {
  const [user, switchedOn] = await Promise.all([findUserByEmail(db, email), isProviderEnabled(db, "email")]);
  const allowed = switchedOn && user !== null && user.status === "active" && user.provider === "email";
  return { user, passwordHash: allowed ? user.passwordHash : null };
}
