import "server-only";
import type { z } from "zod";
import {
  cappedCount,
  type ListTotal,
  likeText,
  pagePosition,
  SEARCH_COUNT_CAP,
  type SortFields,
  sortField,
  toPage,
} from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { type Prisma, Provider, type Session, Status } from "@/lib/db/generated/client";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { type ShownUserRow, toUser } from "@/lib/features/auth/data";
import { ApiError } from "@/lib/kernel/errors";
import { ownerOf, SUPER_ADMIN } from "@/lib/permissions/actor";
import type { OwnedTarget } from "@/lib/permissions/authorize";
import { countNamed, type FirstNameSearch, firstNameSearch } from "./internal/first-names";
import { clientOf } from "./rules";
import type { AdministeredUser, getUsersInput, UserSession } from "./schema";

const shown = { role: true, twoFactor: { select: { enabledAt: true } } } satisfies Prisma.UserInclude;
export type AdministeredUserRow = Prisma.UserGetPayload<{ include: typeof shown }>;

/** The columns of a user that administrators see. */
type ListedUserRow = ShownUserRow &
  Pick<AdministeredUserRow, "passwordHash" | "createdAt" | "lastSignInAt" | "updatedAt">;

/** A user's row as administrators see it. */
export function toAdministeredUser(row: ListedUserRow): AdministeredUser {
  return {
    ...toUser(row),
    invited: row.provider === "email" && row.passwordHash === null,
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  };
}

const SORTS: SortFields = {
  role: { path: ["role", "name"] },
  provider: { values: Object.values(Provider) },
  status: { values: Object.values(Status) },
  lastSignInAt: { nullable: true },
};

/** Maximum number of words that a search uses. Each must occur in the names, the email or the team. */
const SEARCH_WORDS = 8;

/** Whether the names, the email and the team of the user `u` contain each word, without regard to case and accents. */
export function hasWords(words: readonly string[]): Sql {
  // One condition for each word: an index of trigrams does not look up arrays.
  const conditions = words.map((word) => sql`u."searchText" LIKE search_text(${`%${likeText(word)}%`})`);
  return conditions.length === 0 ? sql`true` : join(conditions, " AND ");
}

type Filters = Omit<z.output<typeof getUsersInput>, "format">;
type RoleIds = readonly string[] | undefined;

/** The filters of a list as conditions on the user `u`, but for the search. */
function filtersOf({ status, roleId, provider }: Filters, roleIds: RoleIds): Sql {
  return join(
    [
      sql`true`,
      ...(status ? [sql`u."status" = ${status}::"Status"`] : []),
      ...(roleId ? [sql`u."roleId" = ${roleId}::uuid`] : []),
      ...(roleIds ? [sql`u."roleId" = ANY(${roleIds}::uuid[])`] : []),
      ...(provider ? [sql`u."provider" = ${provider}::"Provider"`] : []),
    ],
    " AND ",
  );
}

/** What the sorts compare; each has an index with the ID. The role is the name of a related row. */
const SORT_KEYS: Readonly<Record<string, { key: string; cast?: string }>> = {
  firstNames: { key: `u."firstNames" COLLATE "names"` },
  lastNames: { key: `u."lastNames" COLLATE "names"` },
  email: { key: `u."email" COLLATE "names"` },
  createdAt: { key: `u."createdAt"` },
  lastSignInAt: { key: `coalesce(u."lastSignInAt", '-infinity'::timestamptz)`, cast: "::timestamptz" },
  provider: { key: `u."provider"`, cast: `::"Provider"` },
  status: { key: `u."status"`, cast: `::"Status"` },
};

/**
 * A search reads this many users for each result in the order of the list. If they do not fill a page, it looks up all that it finds.
 */
const SCANNED_PER_RESULT = 40;

/** Whether the index of trigrams finds a word. */
function hasTrigram(word: string): boolean {
  return [...word].length >= 3;
}

/** What a list looks for. */
interface Wanted {
  filters: Sql;
  /** Word by word, so that "ada lovelace" finds a user by first and last name. */
  search: Sql;
  /** Whether the search has a word that the index of trigrams finds. */
  hasTrigrams: boolean;
  named: FirstNameSearch | null;
}

/**
 * The users that are found by trigrams, and those whose first names begin with what is searched.
 * @param rows.take as many of the latter
 */
function foundRows(
  { filters, search, named }: Wanted,
  rows: { key: Sql; condition: Sql; order: Sql; take: Sql; isByFirstName: boolean },
): Sql {
  const { key, condition, order, take } = rows;
  const select = sql`SELECT u."id", ${key} AS "key" FROM "User" u WHERE ${filters} AND ${condition}`;
  // OFFSET 0 keeps PostgreSQL from reading an index in the order of the list.
  if (!named || !rows.isByFirstName) return sql`${select} AND ${search} OFFSET 0`;
  return sql`
    (${select} AND ${named.isOrdered} AND ${named.begins} ${order} LIMIT ${take})
    UNION ALL (${select} AND ${named.isOrdered} AND ${named.elsewhere} OFFSET 0)
    UNION ALL (${select} AND NOT (${named.isOrdered}) AND ${search} OFFSET 0)`;
}

/**
 * The IDs and sort keys of one page and of the first row after it.
 *
 * They are the first entries of an index that match. A search whose results are all late in the order would read the index up to them;
 * then the results are looked up by their trigrams and sorted. Users with one first name, who may be very many, are together in the
 * order of first names, and are read from there.
 */
function pageOf(input: Filters, users: Wanted): { page: Sql; direction: Sql } {
  const wanted = sql`${users.filters} AND ${users.search}`;
  const { field, descending, after } = pagePosition(
    input,
    ["createdAt", "lastSignInAt"],
    undefined,
    SORTS[sortField(input)],
  );
  const direction = raw(descending ? "DESC" : "ASC");
  const sign = raw(descending ? "<" : ">");
  const rows = input.limit + 1;
  const take = raw(String(rows));
  const value = after && (after.value ?? "-infinity");
  if (field === "role") {
    const roles = after ? sql`WHERE "name" ${sign}= ${value}` : empty;
    const beyond = after ? sql`AND (r."name" ${sign} ${value} OR u."id" ${sign} ${after.id}::uuid)` : empty;
    const page = sql`
      SELECT u."id", r."name" AS "key" FROM (SELECT "id", "name" FROM "Role" ${roles}) r CROSS JOIN LATERAL (
        SELECT u."id" FROM "User" u WHERE u."roleId" = r."id" AND ${wanted} ${beyond}
        ORDER BY u."id" ${direction} LIMIT ${take}
      ) u ORDER BY r."name" ${direction}, u."id" ${direction} LIMIT ${take}`;
    return { page, direction };
  }
  const { key: text, cast = "" } = SORT_KEYS[field] as (typeof SORT_KEYS)[string];
  const key = raw(text);
  const beyond = after ? sql`AND (${key}, u."id") ${sign} (${value}${raw(cast)}, ${after.id}::uuid)` : empty;
  const order = sql`ORDER BY ${key} ${direction}, u."id" ${direction}`;
  if (!users.hasTrigrams) {
    return {
      page: sql`SELECT u."id", ${key} AS "key" FROM "User" u WHERE ${wanted} ${beyond} ${order} LIMIT ${take}`,
      direction,
    };
  }
  const isFull = sql`(SELECT count(*) FROM first) = ${take}`;
  const condition = sql`NOT ${isFull} ${beyond}`;
  const found = foundRows(users, { key, condition, order, take, isByFirstName: field === "firstNames" });
  const page = sql`
    WITH first AS MATERIALIZED (
      SELECT u."id", ${key} AS "key" FROM (
        SELECT u.* FROM "User" u WHERE true ${beyond} ${order} LIMIT ${raw(String(SCANNED_PER_RESULT * rows))}
      ) u WHERE ${wanted} ${order} LIMIT ${take}
    )
    SELECT "id", "key" FROM first WHERE ${isFull}
    UNION ALL
    SELECT "id", "key" FROM (${found}) found
    ORDER BY "key" ${direction}, "id" ${direction} LIMIT ${take}`;
  return { page, direction };
}

/** A page of the users, if given, of those with one of some roles. */
export async function listUsers(db: Db, input: Filters, roleIds?: readonly string[]) {
  const words = (input.search ?? "").split(/\s+/).filter(Boolean).slice(0, SEARCH_WORDS);
  const filters = filtersOf(input, roleIds);
  const search = hasWords(words);
  const named = firstNameSearch(words);
  const { page, direction } = pageOf(input, { filters, search, hasTrigrams: words.some(hasTrigram), named });
  const [rows, total] = await Promise.all([
    queryRows<ListedUserRow>(
      db,
      sql`
        SELECT u."id", u."firstNames", u."lastNames", u."email", u."team", u."provider", u."status", u."avatarFileId",
          u."passwordHash", u."createdAt", u."updatedAt", u."lastSignInAt", json_build_object('id', r."id", 'name', r."name") AS "role",
          json_build_object('enabledAt', t."enabledAt") AS "twoFactor"
        FROM (${page}) page JOIN "User" u ON u."id" = page."id" JOIN "Role" r ON r."id" = u."roleId"
        LEFT JOIN "TwoFactor" t ON t."userId" = u."id" ORDER BY page."key" ${direction}, u."id" ${direction}`,
    ),
    words.length === 0
      ? maintainedCount(db, input, roleIds)
      : cappedCount(SEARCH_COUNT_CAP, async (take) => {
          const [counted] = await queryRows<{ count: number }>(
            db,
            named
              ? countNamed(named, { filters, search, take })
              : sql`SELECT count(*)::int AS "count" FROM (
                  SELECT 1 FROM "User" u WHERE ${filters} AND ${search} LIMIT ${take}) counted`,
          );
          return counted?.count ?? 0;
        }),
  ]);
  return { ...toPage(rows, input, SORTS), ...total };
}

/** The number of users that match the filters. Triggers maintain these numbers. */
async function maintainedCount(
  db: Db,
  { status, roleId, provider }: Pick<z.output<typeof getUsersInput>, "status" | "roleId" | "provider">,
  roleIds: RoleIds,
): Promise<ListTotal> {
  const ofRoles = roleIds ? { roleId: { in: [...roleIds] } } : { roleId };
  const { _sum } = await db.userCount.aggregate({ _sum: { change: true }, where: { status, provider, ...ofRoles } });
  return { total: Number(_sum.change ?? 0) };
}

export function findUser(db: Db, id: string): Promise<AdministeredUserRow | null> {
  return db.user.findUnique({ where: { id }, include: shown });
}

export function createUser(db: Db, data: Prisma.UserUncheckedCreateInput): Promise<AdministeredUserRow> {
  return db.user.create({ data, include: shown });
}

export function updateUser(db: Db, id: string, data: Prisma.UserUncheckedUpdateInput): Promise<AdministeredUserRow> {
  return db.user.update({ where: { id }, data, include: shown });
}

/** Those of some e-mails that users have, in lower case. */
export async function takenEmails(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const lower = emails.map((email) => email.toLowerCase());
  const rows = await queryRows<{ email: string }>(
    db,
    sql`SELECT lower("email") AS "email" FROM "User" WHERE lower("email") = ANY(${lower})`,
  );
  return new Set(rows.map(({ email }) => email));
}

/** Whether there is another active SUPER_ADMIN. */
export async function hasOtherAdministrator(tx: Db, userId: string): Promise<boolean> {
  const where = { status: "active", role: { name: SUPER_ADMIN }, id: { not: userId } } as const;
  return (await tx.user.count({ where, take: 1 })) > 0;
}

/** The maximum number of a user's sessions in a list, newest first. */
const SHOWN_SESSIONS = 100;

/** The active sessions of a user. */
export function listSessions(db: Db, userId: string, now: Date): Promise<Session[]> {
  return db.session.findMany({
    where: { userId, expiresAt: { gt: now }, absoluteExpiresAt: { gt: now } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: SHOWN_SESSIONS,
  });
}

/** A session's row as its owner sees it. */
export function toUserSession(row: Session, currentId: string): UserSession {
  return {
    id: row.id,
    current: row.id === currentId,
    method: row.method,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    ip: row.ip,
    client: clientOf(row.userAgent),
  };
}

/** The target of a call on a session. */
export async function sessionTarget(db: Db, id: string): Promise<OwnedTarget | null> {
  const session = await db.session.findUnique({ where: { id }, select: { userId: true } });
  return session && { owner: ownerOf({ kind: "user", userId: session.userId }) };
}

/**
 * Ends a session.
 * @throws ApiError not_found if it has ended in the meantime
 */
export async function endSession(tx: Db, id: string): Promise<void> {
  const { count } = await tx.session.deleteMany({ where: { id } });
  if (count === 0) throw new ApiError("not_found");
}

/**
 * Ends a session of a user.
 * @throws ApiError not_found if the user has no such session
 */
export async function endSessionOf(tx: Db, userId: string, id: string): Promise<void> {
  const { count } = await tx.session.deleteMany({ where: { id, userId } });
  if (count === 0) throw new ApiError("not_found");
}
