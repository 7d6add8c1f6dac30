import "server-only";
import type { z } from "zod";
import { likeText, orNotFound, pagePosition, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { fewFound, longestWord } from "@/lib/db/few-found";
import { lockRow, lockUntilCommit } from "@/lib/db/locks";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { ApiError, conflict, invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { HOUR_MS } from "@/lib/kernel/time";
import { type Actor, type AuthenticatedActor, actorId, SUPER_ADMIN } from "@/lib/permissions/actor";
import type { Target } from "@/lib/permissions/authorize";
import { HAS_PUSH } from "@/lib/testers/push-subscriptions";
import {
  type getTesterGroupMembersInput,
  type getTesterGroupsInput,
  MAX_GROUPS,
  MAX_MEMBERS,
  type TesterGroup,
  type TesterGroupMember,
} from "../schema";

/** That a tester `t`, or their user `u`, has a text in their e-mail address or name; no condition without a text. */
export async function matchesPerson(from: Db, search: string | undefined): Promise<Sql[]> {
  if (!search) return [];
  const like = `%${likeText(search)}%`;
  const word = `%${likeText(longestWord(search))}%`;
  const few = await fewFound(
    from,
    sql`SELECT t."id" FROM "Tester" t WHERE t."email" ILIKE ${word}
      UNION ALL SELECT t."id" FROM "User" u JOIN "Tester" t ON t."userId" = u."id" WHERE u."searchText" LIKE search_text(${word})`,
  );
  return [
    ...(few ? [sql`t."id" = ANY(${few}::uuid[])`] : []),
    sql`(t."email" ILIKE ${like} OR u."email" ILIKE ${like} OR u."firstNames" || ' ' || u."lastNames" ILIKE ${like})`,
  ];
}

interface GroupRow {
  id: string;
  appId: string;
  name: string;
  allEnvironments: boolean;
  environmentIds: string[];
  members: number;
  pending: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A group's row as the API shows it. */
export function toGroup(row: GroupRow): TesterGroup {
  const { allEnvironments, createdAt, updatedAt, environmentIds, ...same } = row;
  return {
    ...same,
    environmentIds: allEnvironments ? null : environmentIds,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** What the audit log tells of a group. */
export function auditedGroup({ appId, name, allEnvironments, environmentIds }: GroupRow): object {
  return { appId, name, environmentIds: allEnvironments ? null : environmentIds };
}

/** Reads groups with the numbers of their members. Environments that were deleted are left out. */
function readGroups(from: Db, condition: Sql, page: Sql = empty): Promise<GroupRow[]> {
  return queryRows<GroupRow>(
    from,
    sql`
      SELECT g."id", g."appId", g."name", g."allEnvironments", g."createdAt", g."updatedAt",
        ARRAY(SELECT e."id" FROM "Environment" e WHERE e."id" = ANY (g."environmentIds")
          ORDER BY e."position", e."id") AS "environmentIds",
        (SELECT count(*)::int FROM "TesterGroupMember" m WHERE m."groupId" = g."id") AS "members",
        (SELECT count(*)::int FROM "TesterGroupMember" m JOIN "Tester" t ON t."id" = m."testerId"
          WHERE m."groupId" = g."id" AND t."userId" IS NULL AND t."confirmedAt" IS NULL) AS "pending"
      FROM "TesterGroup" g WHERE ${condition} ${page}`,
  );
}

export async function findGroup(from: Db, id: string): Promise<GroupRow | null> {
  const [row] = await readGroups(from, sql`g."id" = ${id}::uuid`);
  return row ?? null;
}

/** An application as the target of a call, also for those who reach only some of its environments. */
export async function appOfGroupsTarget(from: Db, appId: string): Promise<Target | null> {
  const app = await from.app.findUnique({ where: { id: appId }, select: { status: true } });
  return app && { appId, environmentId: null, active: app.status === "active" };
}

/**
 * The environments of a group as the target of a call that changes it. The scope is required in each of them, because a change of the
 * group decides who gets their releases.
 * @returns null if there is no such application, or one of the environments is not its own
 */
export async function environmentsTarget(
  from: Db,
  appId: string,
  environmentIds: readonly string[] | null,
): Promise<Target | null> {
  const app = await appOfGroupsTarget(from, appId);
  if (!app) return null;
  if (environmentIds === null) return { ...app, wholeApp: true };
  const rows = await from.environment.findMany({
    where: { appId, id: { in: [...environmentIds] } },
    select: { id: true, status: true },
    orderBy: { id: "asc" },
  });
  const [first, ...others] = rows.map(
    ({ id, status }): Target => ({ ...app, environmentId: id, active: app.active && status === "active" }),
  );
  if (!first || rows.length !== environmentIds.length) return null;
  return { ...first, requires: others.map((target) => ({ access: "environment:write" as const, target })) };
}

/** A group as the target of a call that changes it. */
interface GroupTarget extends Target {
  group: GroupRow;
}

/** Loads a group as the target of a call that changes it; null if it does not exist. */
export async function groupTarget(from: Db, id: string): Promise<GroupTarget | null> {
  const group = await findGroup(from, id);
  if (!group) return null;
  const isLimited = !group.allEnvironments && group.environmentIds.length > 0;
  const target = await environmentsTarget(from, group.appId, isLimited ? group.environmentIds : null);
  return target && { ...target, group };
}

/** @throws ApiError conflict if a group of the application has that name */
export async function requireFreeName(tx: Db, appId: string, name: string, exceptId?: string): Promise<void> {
  const taken = await queryRows(
    tx,
    sql`
      SELECT 1 FROM "TesterGroup" WHERE "appId" = ${appId}::uuid AND lower("name") = lower(${name})
        AND "id" IS DISTINCT FROM ${exceptId ?? null}::uuid`,
  );
  if (taken.length > 0) throw conflict("name", "taken");
}

/** @throws ApiError conflict if the application has as many groups as it may have, or one of that name */
export async function createGroup(
  tx: Db,
  data: Pick<GroupRow, "id" | "appId" | "name" | "allEnvironments" | "environmentIds">,
): Promise<void> {
  await lockRow(tx, "App", data.appId);
  await requireFreeName(tx, data.appId, data.name);
  if ((await tx.testerGroup.count({ where: { appId: data.appId } })) >= MAX_GROUPS) {
    throw new ApiError("conflict", { detailKey: "detailTooManyGroups", params: { limit: MAX_GROUPS } });
  }
  await tx.testerGroup.create({ data, select: { id: true } });
}

export async function updateGroup(
  tx: Db,
  id: string,
  data: Partial<Pick<GroupRow, "name" | "allEnvironments" | "environmentIds">>,
): Promise<void> {
  await tx.testerGroup.update({ where: { id }, data, select: { id: true } });
}

/** Serializes additions of people and the removal of those who are in no group until the transaction ends. */
async function lockTesters(tx: Db): Promise<void> {
  await lockUntilCommit(tx, "testers");
}

/**
 * Forgets people without an account who are in no group any more, and were never told of anything. Who was asked, unsubscribed or
 * cannot be reached stays known, so that adding their address again does not write to them again.
 */
async function forgetUntold(tx: Db, testerIds: readonly string[]): Promise<void> {
  await queryRows(
    tx,
    sql`
      DELETE FROM "Tester" t WHERE t."id" = ANY (${[...testerIds]}::uuid[]) AND t."userId" IS NULL
        AND t."askedAt" IS NULL AND t."confirmedAt" IS NULL AND t."mail" AND t."bouncedAt" IS NULL
        AND NOT EXISTS (SELECT 1 FROM "TesterGroupMember" m WHERE m."testerId" = t."id")
        AND NOT EXISTS (SELECT 1 FROM "ReleaseRecipient" r WHERE r."testerId" = t."id")`,
  );
}

export async function removeGroup(tx: Db, id: string): Promise<void> {
  await lockTesters(tx);
  const removed = await queryRows<{ testerId: string }>(
    tx,
    sql`DELETE FROM "TesterGroupMember" WHERE "groupId" = ${id}::uuid RETURNING "testerId"`,
  );
  await forgetUntold(
    tx,
    removed.map(({ testerId }) => testerId),
  );
  await tx.testerGroup.deleteMany({ where: { id } });
}

/** One page of the groups of an application. */
export async function listGroups(from: Db, input: z.output<typeof getTesterGroupsInput>) {
  const { field, descending, after } = pagePosition(input);
  const key = field === "name" ? sql`g."name"` : sql`g."createdAt"`;
  const direction = raw(descending ? "DESC" : "ASC");
  const wanted = sql`g."appId" = ${input.appId}::uuid AND ${input.search ? sql`g."name" ILIKE ${`%${likeText(input.search)}%`}` : sql`true`}`;
  const beyond = after
    ? sql`(${key}, g."id") ${raw(descending ? "<" : ">")} (${after.value}, ${after.id}::uuid)`
    : sql`true`;
  const [rows, [counted]] = await Promise.all([
    readGroups(
      from,
      sql`${wanted} AND ${beyond}`,
      sql`ORDER BY ${key} ${direction}, g."id" ${direction} LIMIT ${input.limit + 1}`,
    ),
    queryRows<{ total: number }>(from, sql`SELECT count(*)::int AS "total" FROM "TesterGroup" g WHERE ${wanted}`),
  ]);
  return { ...toPage(rows, input), total: counted?.total ?? 0 };
}

/** The state of a member, as an SQL expression on the member `m` and the tester `t`. */
const MEMBER_STATE = sql`
  CASE WHEN t."bouncedAt" IS NOT NULL THEN 'bounced'
    WHEN t."userId" IS NULL AND t."confirmedAt" IS NULL THEN 'pending'
    WHEN NOT m."notify" OR NOT (t."mail" OR ${HAS_PUSH}) THEN 'off' ELSE 'confirmed' END`;

interface MemberRow extends Omit<TesterGroupMember, "addedAt"> {
  createdAt: Date;
}

/** A member's row as the API shows it. */
export function toMember({ createdAt, ...row }: MemberRow): TesterGroupMember {
  return { ...row, addedAt: createdAt.toISOString() };
}

const MEMBERS = sql`
  FROM "TesterGroupMember" m JOIN "Tester" t ON t."id" = m."testerId" LEFT JOIN "User" u ON u."id" = t."userId"`;

/** One page of the members of a group, in the order in which they were added. */
export async function listMembers(from: Db, input: z.output<typeof getTesterGroupMembersInput>) {
  const { descending, after } = pagePosition(input);
  const direction = raw(descending ? "DESC" : "ASC");
  const wanted = join(
    [
      sql`m."groupId" = ${input.groupId}::uuid`,
      ...(input.state ? [sql`${MEMBER_STATE} = ${input.state}`] : []),
      ...(await matchesPerson(from, input.search)),
    ],
    " AND ",
  );
  const beyond = after
    ? sql`(m."createdAt", m."id") ${raw(descending ? "<" : ">")} (${after.value}, ${after.id}::uuid)`
    : sql`true`;
  const [rows, [counted]] = await Promise.all([
    queryRows<MemberRow>(
      from,
      sql`
        SELECT m."id", t."userId", u."firstNames" || ' ' || u."lastNames" AS "name",
          coalesce(u."email", t."email") AS "email", ${MEMBER_STATE} AS "state", m."createdAt"
        ${MEMBERS} WHERE ${wanted} AND ${beyond}
        ORDER BY m."createdAt" ${direction}, m."id" ${direction} LIMIT ${input.limit + 1}`,
    ),
    queryRows<{ total: number }>(from, sql`SELECT count(*)::int AS "total" ${MEMBERS} WHERE ${wanted}`),
  ]);
  return { ...toPage(rows, input), total: counted?.total ?? 0 };
}

/**
 * Requires users whom the caller may know: for administrators, all; for others, those who see the application of the group.
 * @throws ApiError validation_failed, the same for a user who does not exist
 */
async function requireUsers(tx: Db, groupId: string, userIds: readonly string[], actor: Actor): Promise<void> {
  if (userIds.length === 0) return;
  const seesApp = sql`u."roleId" = (SELECT r."id" FROM "Role" r WHERE r."name" = ${SUPER_ADMIN})
    OR EXISTS (SELECT 1 FROM "RolePermission" p, "TesterGroup" own
      WHERE p."roleId" = u."roleId" AND own."id" = ${groupId}::uuid AND cardinality(p."scopes") > 0 AND (p."allApps"
        OR EXISTS (SELECT 1 FROM "RolePermissionTarget" t WHERE t."permissionId" = p."id" AND t."appId" = own."appId")
        OR EXISTS (SELECT 1 FROM "RolePermissionGroup" pg JOIN "TesterGroup" g ON g."id" = pg."groupId"
          WHERE pg."permissionId" = p."id" AND g."appId" = own."appId")))`;
  const [row] = await queryRows<{ count: number }>(
    tx,
    sql`
      SELECT count(*)::int AS "count" FROM "User" u
      WHERE u."id" = ANY(${[...userIds]}::uuid[]) AND (${actor.kind === "user" && actor.isAdmin ? sql`true` : seesApp})`,
  );
  if (row?.count !== userIds.length) throw invalidField("userIds", "unknown");
}

/** How many of some e-mails belong to members of a group. */
export async function countMembers(from: Db, groupId: string, emails: readonly string[]): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    from,
    sql`
      SELECT count(*)::int AS "count" FROM unnest(${[...emails]}::text[]) x JOIN "Tester" t ON lower(t."email") = lower(x)
        JOIN "TesterGroupMember" m ON m."testerId" = t."id" AND m."groupId" = ${groupId}::uuid`,
  );
  return row?.count ?? 0;
}

/**
 * Adds people to a group whose row is locked, by as many statements however many they are. Those who are members stay as they are.
 * @throws ApiError validation_failed for an unknown user, conflict if the group had more members than it may have
 */
export async function addMembers(
  tx: Db,
  groupId: string,
  people: { userIds: readonly string[]; emails: readonly string[] },
  { actor, locale, now }: { actor: AuthenticatedActor; locale: string; now: Date },
): Promise<{ added: number; already: number }> {
  const byKey = new Map(people.emails.map((email) => [email.toLowerCase(), email]));
  const emails = [...byKey.values()].sort();
  await requireUsers(tx, groupId, people.userIds, actor);
  await lockTesters(tx);
  const userIds = [...people.userIds].sort();
  await queryRows(
    tx,
    sql`
      INSERT INTO "Tester" ("id", "userId", "locale", "createdAt")
      SELECT given."id", given."userId", ${locale}, ${now}::timestamptz
      FROM unnest(${userIds.map(newId)}::uuid[], ${userIds}::uuid[]) AS given("id", "userId")
      ON CONFLICT DO NOTHING`,
  );
  await queryRows(
    tx,
    sql`
      INSERT INTO "Tester" ("id", "email", "locale", "createdAt", "askedBy")
      SELECT given."id", given."email", ${locale}, ${now}::timestamptz, ${actorId(actor)}::uuid
      FROM unnest(${emails.map(newId)}::uuid[], ${emails}::text[]) AS given("id", "email")
      ON CONFLICT DO NOTHING`,
  );
  const [row] = await queryRows<{ added: number }>(
    tx,
    sql`
      WITH added AS (
        INSERT INTO "TesterGroupMember" ("id", "groupId", "testerId", "createdAt")
        SELECT gen_random_uuid(), ${groupId}::uuid, t."id", ${now}::timestamptz FROM (
          SELECT t."id" FROM unnest(${userIds}::uuid[]) x JOIN "Tester" t ON t."userId" = x
          UNION ALL SELECT t."id" FROM unnest(${emails}::text[]) x JOIN "Tester" t ON lower(t."email") = lower(x)
        ) t
        ON CONFLICT DO NOTHING RETURNING 1
      ) SELECT count(*)::int AS "added" FROM added`,
  );
  const added = row?.added ?? 0;
  if ((await tx.testerGroupMember.count({ where: { groupId } })) > MAX_MEMBERS) {
    throw new ApiError("conflict", { detailKey: "detailTooManyMembers", params: { limit: MAX_MEMBERS } });
  }
  return { added, already: userIds.length + emails.length - added };
}

/** Removes a member of a group. @returns the user or the e-mail; null if there is no such member */
export async function removeMember(
  tx: Db,
  groupId: string,
  id: string,
): Promise<{ userId: string | null; email: string | null } | null> {
  await lockTesters(tx);
  const [row] = await queryRows<{ testerId: string; userId: string | null; email: string | null }>(
    tx,
    sql`
      WITH removed AS (
        DELETE FROM "TesterGroupMember" WHERE "id" = ${id}::uuid AND "groupId" = ${groupId}::uuid RETURNING "testerId"
      ) SELECT t."id" AS "testerId", t."userId", t."email" FROM removed JOIN "Tester" t ON t."id" = removed."testerId"`,
  );
  if (!row) return null;
  const { testerId, ...person } = row;
  await forgetUntold(tx, [testerId]);
  return person;
}

/** How long after a question somebody can be asked again. */
const ASK_AGAIN_MS = HOUR_MS;

/**
 * Lets somebody without an account be asked again by mail whether they agree. A user, and somebody who has agreed, is not asked; mails
 * are sent again to their address if it was refused.
 * @param by the ID of the user or API token who asks
 * @returns the user or the e-mail
 * @throws ApiError not_found if there is no such member, conflict if there is nothing to ask, or somebody was asked within an hour
 */
export async function askAgain(
  tx: Db,
  groupId: string,
  memberId: string,
  { by, now }: { by: string; now: Date },
): Promise<{ userId: string | null; email: string | null }> {
  const member = await tx.testerGroupMember.findFirst({
    where: { id: memberId, groupId },
    select: { tester: { select: { id: true, userId: true, email: true, confirmedAt: true, bouncedAt: true } } },
  });
  const { id, userId, email, confirmedAt, bouncedAt } = orNotFound(member).tester;
  if (userId !== null || confirmedAt !== null) {
    if (bouncedAt === null) throw new ApiError("conflict", { detailKey: "detailAgreed" });
    await tx.tester.update({ where: { id }, data: { bouncedAt: null }, select: { id: true } });
    return { userId, email };
  }
  const { count } = await tx.tester.updateMany({
    where: { id, confirmedAt: null, askedAt: { lte: new Date(now.getTime() - ASK_AGAIN_MS) } },
    // An address that was refused may work by now.
    data: { askedAt: null, askAfter: null, askTries: 0, bouncedAt: null, askedBy: by },
  });
  if (count === 0) throw new ApiError("conflict", { detailKey: "detailAskedRecently" });
  return { userId, email };
}

/** How many groups of a user are listed. */
const SHOWN_GROUPS = 100;

/** The groups of testers that a user belongs to, by name. */
export async function groupsOfUser(
  db: Db,
  userId: string,
): Promise<{ id: string; name: string; app: { id: string; name: string } }[]> {
  return db.testerGroup.findMany({
    where: { members: { some: { tester: { userId } } } },
    select: { id: true, name: true, app: { select: { id: true, name: true } } },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: SHOWN_GROUPS,
  });
}
