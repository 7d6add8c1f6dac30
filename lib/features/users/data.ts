import "server-only";
import type { z } from "zod";
import {
  cappedCount,
  containsText,
  type ListTotal,
  likeText,
  pageClauses,
  SEARCH_COUNT_CAP,
  type SortFields,
  toPage,
} from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { type Prisma, Provider, type Session, Status } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import { toUser } from "@/lib/features/auth/data";
import { ApiError } from "@/lib/kernel/errors";
import { ownerOf, SUPER_ADMIN } from "@/lib/permissions/actor";
import type { OwnedTarget } from "@/lib/permissions/authorize";
import { clientOf } from "./rules";
import type { AdministeredUser, getUsersInput, UserSession } from "./schema";

const shown = { role: true, twoFactor: { select: { enabledAt: true } } } satisfies Prisma.UserInclude;
export type AdministeredUserRow = Prisma.UserGetPayload<{ include: typeof shown }>;

/** A user's row as administrators see it. */
export function toAdministeredUser(row: AdministeredUserRow): AdministeredUser {
  return {
    ...toUser(row),
    invited: row.provider === "email" && row.passwordHash === null,
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
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

/**
 * Users whose names, email or team contain a word. LIKE is ten times as fast as ILIKE, which converts each text, but JavaScript
 * and PostgreSQL agree about the lower case only of ASCII.
 */
function haveWord(word: string): Prisma.UserWhereInput {
  const isAscii = /^[!-~]+$/.test(word);
  return isAscii ? { searchText: { contains: likeText(word.toLowerCase()) } } : containsText(word, ["searchText"]);
}

export async function listUsers(db: Db, input: z.output<typeof getUsersInput>) {
  const words = (input.search ?? "").split(/\s+/).filter(Boolean).slice(0, SEARCH_WORDS);
  const where: Prisma.UserWhereInput = {
    status: input.status,
    roleId: input.roleId,
    provider: input.provider,
    // Word by word, so that "ada lovelace" finds a user by first and last name.
    AND: words.map(haveWord),
  };
  const clauses = pageClauses(input, ["createdAt", "lastSignInAt"], SORTS);
  const [rows, total] = await Promise.all([
    db.user.findMany({ ...clauses, where: { AND: [where, clauses.where] }, include: shown }),
    words.length === 0
      ? maintainedCount(db, input)
      : cappedCount(SEARCH_COUNT_CAP, (take) => db.user.count({ where, take })),
  ]);
  return { ...toPage(rows, input, SORTS), ...total };
}

/** The number of users that match the filters. Triggers maintain these numbers. */
async function maintainedCount(
  db: Db,
  { status, roleId, provider }: Pick<z.output<typeof getUsersInput>, "status" | "roleId" | "provider">,
): Promise<ListTotal> {
  const { _sum } = await db.userCount.aggregate({ _sum: { change: true }, where: { status, roleId, provider } });
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
