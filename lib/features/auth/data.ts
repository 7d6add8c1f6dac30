import "server-only";
import type { z } from "zod";
import type { CommandContext, CommandResult } from "@/lib/api/operation";
import type { Changes } from "@/lib/audit/write";
import { makeDeviceFamiliar } from "@/lib/auth/familiar-devices";
import { createSession, type SecondFactorState } from "@/lib/auth/sessions";
import type { Db } from "@/lib/db/client";
import type { Prisma, SessionMethod } from "@/lib/db/generated/client";
import { empty, type JsonRow, queryRows, type Sql, sql } from "@/lib/db/query";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import type { Access, Target } from "@/lib/permissions/authorize";
import { environmentWhere, type Sight } from "@/lib/permissions/visibility";
import type { SignedIn, User } from "./schema";

const withRole = { role: true, twoFactor: { select: { enabledAt: true } } } satisfies Prisma.UserInclude;
type UserRow = Prisma.UserGetPayload<{ include: typeof withRole }>;

/** The columns of a user that the API shows. */
export type ShownUserRow = Pick<
  UserRow,
  "id" | "firstNames" | "lastNames" | "email" | "team" | "provider" | "status" | "avatarFileId"
> & { role: { id: string; name: string }; twoFactor: { enabledAt: unknown } | null };

/** Converts a user's row to the API's representation. */
export function toUser(row: ShownUserRow): User {
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
 * The id of the user with an e-mail, in any case, by one statement that costs the same for known and unknown addresses.
 * Prisma's insensitive mode is not used, because it treats `_` and `%` as wildcards.
 */
export async function userIdByEmail(db: Db, email: string): Promise<string | null> {
  const rows = await queryRows<{ id: string }>(db, sql`SELECT "id" FROM "User" WHERE lower("email") = lower(${email})`);
  return rows[0]?.id ?? null;
}

type UserWithRole = Omit<UserRow, "role" | "twoFactor"> & {
  role: JsonRow<UserRow["role"]>;
  hasTwoFactor: boolean;
  enabledAt: Date | null;
};

/** Reads a user `u` with their role by one statement. Prisma runs one for each relation. */
async function userWithRole(
  from: Db,
  { before = empty, users }: { before?: Sql; users: Sql },
): Promise<UserRow | null> {
  const [row] = await queryRows<UserWithRole>(
    from,
    sql`
      ${before}
      SELECT u."id", u."firstNames", u."lastNames", u."email", u."team", u."roleId", u."provider", u."status",
        u."avatarFileId", u."passwordHash", u."locale", u."lastSignInAt", u."tourDismissedAt", u."providerSubject", u."createdAt",
        u."updatedAt",
        to_json(r) AS "role", f."userId" IS NOT NULL AS "hasTwoFactor", f."enabledAt"
      FROM ${users} u JOIN "Role" r ON r."id" = u."roleId" LEFT JOIN "TwoFactor" f ON f."userId" = u."id"`,
    { prepared: true },
  );
  if (!row) return null;
  const { role, hasTwoFactor, enabledAt, ...user } = row;
  return {
    ...user,
    role: { ...role, createdAt: new Date(role.createdAt), updatedAt: new Date(role.updatedAt) },
    twoFactor: hasTwoFactor ? { enabledAt } : null,
  };
}

/** A user with their role. */
export function findUser(from: Db, id: string): Promise<UserRow | null> {
  return userWithRole(from, { users: sql`(SELECT * FROM "User" WHERE "id" = ${id}::uuid)` });
}

export function updateUser(db: Db, id: string, data: Prisma.UserUncheckedUpdateInput): Promise<UserRow> {
  return db.user.update({ where: { id }, data, include: withRole });
}

/** The permissions of a role, with their apps. */
export function rolePermissions(db: Db, roleId: string) {
  const app = { select: { id: true, name: true, status: true } } as const;
  return db.rolePermission.findMany({
    where: { roleId },
    orderBy: { id: "asc" },
    include: {
      targets: { include: { app }, orderBy: [{ app: { name: "asc" } }, { appId: "asc" }] },
      groups: {
        where: { group: { app: { status: "active" } } },
        select: { group: { select: { id: true, name: true } } },
        orderBy: [{ group: { name: "asc" } }, { groupId: "asc" }],
      },
    },
  });
}

/** The environments of some apps that a caller may see, in their order. */
export function namedEnvironments(db: Db, appIds: string[], sight: Sight) {
  return db.environment.findMany({
    where: { AND: [{ appId: { in: appIds } }, environmentWhere.visible(sight)] },
    select: { id: true, name: true, appId: true },
    orderBy: [{ position: "asc" }, { id: "asc" }],
  });
}

/** Whether a user `u` may sign in by e-mail, as a condition. */
const SIGNS_IN_BY_EMAIL = sql`u."status" = 'active' AND u."provider" = 'email'
  AND EXISTS (SELECT 1 FROM "AuthProvider" p WHERE p."provider" = 'email' AND p."enabled")`;

/**
 * The user with an e-mail and their password's hash, by one statement that costs the same for every e-mail. The hash
 * is null for a user who may not sign in by password.
 * @returns null if no user has the e-mail
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
 * Records a sign-in, if the user may sign in. It locks the user's row, so that a change that ends all their sessions (a
 * reset of the password, for example) either prevents this sign-in or ends its session.
 * @param signIn.password the hash that was verified, which must still be the user's, and a better one to replace it
 * @returns the user; null if they are switched off, or the password or the right to use one has changed
 */
export function recordSignIn(
  tx: Db,
  signIn: { userId: string; at: Date; password?: { verifiedHash: string; betterHash?: string } },
): Promise<UserRow | null> {
  const { userId, at, password } = signIn;
  const mayStill = password
    ? sql`u."passwordHash" = ${password.verifiedHash} AND ${SIGNS_IN_BY_EMAIL}`
    : sql`u."status" = 'active'`;
  const updated = sql`
    UPDATE "User" u
    SET "lastSignInAt" = ${at}, "updatedAt" = ${at}, "passwordHash" = coalesce(${password?.betterHash ?? null}, u."passwordHash")
    WHERE u."id" = ${userId}::uuid AND ${mayStill}
    RETURNING u.*`;
  return userWithRole(tx, { before: sql`WITH "updated" AS (${updated})`, users: sql`"updated"` });
}

/**
 * Begins the session of a user whose sign-in has been recorded, and gives it to the caller's browser.
 * @param context of the operation that signs in
 * @param signIn.secondFactor true if the way of signing in proves a second factor by itself, or the state of the session that it
 *   comes from
 * @param signIn.absoluteExpiresAt the absolute end of the session that it comes from, if it comes from one
 * @returns the operation's response, with the audit record of the new session
 */
export async function beginSession(
  { tx, request, session }: Pick<CommandContext<z.ZodType, Target, Access, unknown>, "tx" | "request" | "session">,
  signIn: {
    user: UserRow;
    method: SessionMethod;
    secondFactor?: boolean | SecondFactorState;
    absoluteExpiresAt?: Date;
    changes: Changes;
  },
): Promise<CommandResult<SignedIn>> {
  const { user, method, secondFactor = false, absoluteExpiresAt, changes } = signIn;
  const { now, ip, userAgent } = request;
  const facts = { userId: user.id, method, secondFactor, now, ip, userAgent };
  const begun = await createSession(tx, { ...facts, ...(absoluteExpiresAt && { absoluteExpiresAt }) });
  session.begin({ ...begun, device: await makeDeviceFamiliar(tx, user.email, request.headers) });
  const shown = toUser(user);
  const hasPassed = typeof secondFactor === "object" ? secondFactor.at !== null : secondFactor;
  return {
    output: { user: shown, exp: begun.exp, twoFactorRequired: shown.twoFactorEnabled && !hasPassed },
    audit: { recordId: begun.sessionId, changes, userId: user.id },
  };
}
