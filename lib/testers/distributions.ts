import "server-only";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { Turns } from "@/lib/db/turns";
import { env } from "@/lib/kernel/env";
import type { ConsoleEvent, EventData } from "@/lib/kernel/events";
import { newId } from "@/lib/kernel/ids";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { HOUR_MS } from "@/lib/kernel/time";
import { emitEvents } from "@/lib/webhooks/outbox";
import { userReadsSql } from "./access";
import { HAS_PUSH } from "./push-subscriptions";

/** How many members of groups a transaction makes recipients. */
export const RECIPIENTS_BATCH = 1_000;

/** How many finished distributions are kept of a release; the audit log has all. */
export const KEPT_DISTRIBUTIONS = 100;

/** A person gets at most one mail about an application in this time. */
export const MAIL_INTERVAL_MS = HOUR_MS;

/** A request to distribute a release. */
interface Distribution {
  releaseId: string;
  groupIds: readonly string[];
  /** Whether the members are told. */
  notify: boolean;
  by: { createdByUser?: string; createdByToken?: string };
  now: Date;
}

/**
 * Records that a release is distributed to groups; their members without an account may open it from now on. The job makes and
 * tells the recipients after the commit.
 * @returns the ID of the distribution
 */
export async function createDistribution(
  tx: Db,
  { releaseId, groupIds, notify, by, now }: Distribution,
): Promise<string> {
  const id = newId();
  const ids = [...groupIds].sort();
  await queryRows(
    tx,
    sql`
      INSERT INTO "ReleaseTesterGroup" ("releaseId", "groupId", "createdAt")
      SELECT ${releaseId}::uuid, g, ${now}::timestamptz FROM unnest(${ids}::uuid[]) g ON CONFLICT DO NOTHING`,
  );
  await queryRows(
    tx,
    sql`
      INSERT INTO "ReleaseDistribution" ("id", "releaseId", "groupIds", "notify", "createdByUser", "createdByToken", "createdAt")
      VALUES (${id}::uuid, ${releaseId}::uuid, ${ids}::uuid[], ${notify}, ${by.createdByUser ?? null}::uuid,
        ${by.createdByToken ?? null}::uuid, ${now}::timestamptz)`,
  );
  await queryRows(
    tx,
    sql`
      DELETE FROM "ReleaseDistribution" WHERE "id" IN (
        SELECT d."id" FROM "ReleaseDistribution" d WHERE d."releaseId" = ${releaseId}::uuid AND d."state" = 'done'
        ORDER BY d."createdAt" DESC, d."id" DESC OFFSET ${KEPT_DISTRIBUTIONS}::int
        FOR UPDATE SKIP LOCKED
      )`,
  );
  return id;
}

interface PendingRow {
  /** Whose turn it takes. */
  caller: string;
  id: string;
  releaseId: string;
  groupIds: string[];
  notify: boolean;
  total: number | null;
  cursor: string | null;
  recipients: number;
  createdByUser: string | null;
  createdByToken: string | null;
  environmentId: string;
  appId: string;
}

/**
 * The next distribution that is not done and that no other instance works on, locked until the transaction ends. Those who distribute
 * take turns.
 */
async function lockPending(tx: Db, turns: Turns): Promise<PendingRow | null> {
  const caller = sql`coalesce(d."createdByUser", d."createdByToken", d."releaseId")`;
  const [row] = await queryRows<PendingRow>(
    tx,
    sql`
      SELECT ${caller} AS "caller", d."id", d."releaseId", d."groupIds", d."notify", d."total", d."cursor", d."recipients", d."createdByUser",
        d."createdByToken", r."environmentId", e."appId"
      FROM "ReleaseDistribution" d JOIN "Release" r ON r."id" = d."releaseId" JOIN "Environment" e ON e."id" = r."environmentId"
      WHERE d."state" = 'pending' ORDER BY ${turns.order(caller)}, d."createdAt", d."id" LIMIT 1
      -- The release is locked too: its deletion waits. A release that is being deleted is skipped.
      FOR NO KEY UPDATE OF d SKIP LOCKED FOR KEY SHARE OF r SKIP LOCKED`,
  );
  if (row) turns.took([row.caller]);
  return row ?? null;
}

interface MemberRow {
  testerId: string;
  mail: boolean;
  push: boolean;
  untold: string | null;
}

/** Whether a mail is made for a member. Without a mail server, it is written to a file. */
const isMailed = ({ mail, untold }: MemberRow) => mail && (untold === null || untold === "no-mail");

/** The next members of the groups in the order of their IDs, with whether each is told and how. */
function nextMembers(
  tx: Db,
  { releaseId, groupIds, notify, cursor, environmentId, appId }: PendingRow,
): Promise<MemberRow[]> {
  const mayRead = userReadsSql({
    releaseId: sql`${releaseId}::uuid`,
    environmentId: sql`${environmentId}::uuid`,
    appId: sql`${appId}::uuid`,
  });
  return queryRows<MemberRow>(
    tx,
    sql`
      SELECT m."testerId", t."mail" AND t."bouncedAt" IS NULL AS "mail", ${HAS_PUSH} AS "push",
        CASE
          WHEN NOT ${notify} THEN 'silent'
          WHEN NOT m."notify" OR NOT (t."mail" OR ${HAS_PUSH}) THEN 'off'
          WHEN t."userId" IS NULL AND t."confirmedAt" IS NULL THEN 'pending'
          WHEN t."userId" IS NOT NULL AND NOT ${mayRead} THEN 'no-access'
          WHEN t."bouncedAt" IS NOT NULL AND NOT ${HAS_PUSH} THEN 'bounced'
          WHEN ${env.SMTP_URL === undefined} AND NOT ${HAS_PUSH} THEN 'no-mail'
        END AS "untold"
      FROM (
        SELECT m."testerId", bool_or(m."notify") AS "notify" FROM "TesterGroupMember" m
        WHERE m."groupId" = ANY (${groupIds}::uuid[]) AND (${cursor}::uuid IS NULL OR m."testerId" > ${cursor}::uuid)
        GROUP BY m."testerId" ORDER BY m."testerId" LIMIT ${RECIPIENTS_BATCH}
      ) m JOIN "Tester" t ON t."id" = m."testerId"
      LEFT JOIN "User" u ON u."id" = t."userId" LEFT JOIN "Role" ro ON ro."id" = u."roleId"
      ORDER BY m."testerId"
      -- A tester who is being deleted is left out.
      FOR KEY SHARE OF t`,
  );
}

/** Whether a group has members beyond those that are recipients. Members who were deleted while they were read are read as none. */
async function hasNextMember(tx: Db, { groupIds, cursor }: PendingRow): Promise<boolean> {
  const found = await queryRows(
    tx,
    sql`
      SELECT 1 FROM "TesterGroupMember"
      WHERE "groupId" = ANY (${groupIds}::uuid[]) AND (${cursor}::uuid IS NULL OR "testerId" > ${cursor}::uuid) LIMIT 1`,
  );
  return found.length > 0;
}

/** Plans the next mail to each of some people: now, or an hour after the last one about the application. */
async function planMails(tx: Db, appId: string, testerIds: readonly string[], now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`
      INSERT INTO "TesterMail" AS known ("testerId", "appId", "dueAt")
      SELECT t, ${appId}::uuid, ${now}::timestamptz FROM unnest(${[...testerIds]}::uuid[]) t
      ON CONFLICT ("testerId", "appId") DO UPDATE SET "dueAt" = coalesce(known."dueAt",
        greatest(${now}::timestamptz, known."lastAt" + ${MAIL_INTERVAL_MS}::int * interval '1 ms'))`,
  );
}

/**
 * Makes members recipients. Someone who is one already, and has not been told, is told if this distribution tells them.
 * @returns those of them who are told
 */
async function insertRecipients(
  tx: Db,
  releaseId: string,
  members: readonly MemberRow[],
  now: Date,
): Promise<Set<string>> {
  const rows = members.map((member) => ({
    testerId: member.testerId,
    untold: member.untold,
    mailDue: isMailed(member),
  }));
  const inserted = await queryRows<{ testerId: string; told: boolean }>(
    tx,
    sql`
      INSERT INTO "ReleaseRecipient" AS known ("releaseId", "testerId", "untold", "mailDue", "createdAt")
      SELECT ${releaseId}::uuid, given."testerId", given."untold"::"UntoldReason", given."mailDue",
        ${now}::timestamptz
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS given("testerId" uuid, "untold" text, "mailDue" boolean)
      ORDER BY given."testerId"
      ON CONFLICT ("releaseId", "testerId") DO UPDATE SET "untold" = EXCLUDED."untold", "mailDue" = EXCLUDED."mailDue"
        WHERE known."toldAt" IS NULL AND known."untold" IS NOT NULL AND EXCLUDED."untold" IS DISTINCT FROM 'silent'
      RETURNING "testerId", "untold" IS NULL AS "told"`,
  );
  return new Set(inserted.flatMap(({ testerId, told }) => (told ? testerId : [])));
}

/** Plans a message to each browser of people who are told of a release. */
async function planPushes(tx: Db, releaseId: string, testerIds: readonly string[], now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`
      INSERT INTO "PushMessage" ("subscriptionId", "releaseId", "dueAt")
      SELECT s."id", ${releaseId}::uuid, ${now}::timestamptz FROM "PushSubscription" s
      WHERE s."testerId" = ANY (${[...testerIds]}::uuid[]) ORDER BY s."id" FOR KEY SHARE
      ON CONFLICT DO NOTHING`,
  );
}

/** The event of a distribution whose recipients are complete; null if the release was deleted. */
async function distributedEvent(tx: Db, row: PendingRow, recipients: number): Promise<ConsoleEvent | null> {
  const [facts] = await queryRows<Pick<EventData<"release.distributed">, "app" | "environment" | "release" | "groups">>(
    tx,
    sql`
      SELECT json_build_object('id', a."id", 'name', a."name") AS "app",
        json_build_object('id', e."id", 'name', e."name") AS "environment",
        json_build_object('id', r."id", 'version', r."version", 'buildNumber', r."buildNumber", 'identifier', r."identifier",
          'displayName', r."displayName", 'platform', p."kind") AS "release",
        coalesce((SELECT json_agg(json_build_object('id', g."id", 'name', g."name") ORDER BY g."name", g."id")
          FROM "TesterGroup" g WHERE g."id" = ANY (${row.groupIds}::uuid[])), '[]'::json) AS "groups"
      FROM "Release" r JOIN "Environment" e ON e."id" = r."environmentId" JOIN "App" a ON a."id" = e."appId"
      JOIN "Platform" p ON p."id" = r."platformId" WHERE r."id" = ${row.releaseId}::uuid`,
  );
  if (!facts) return null;
  const by = { userId: row.createdByUser, tokenId: row.createdByToken };
  const url = `${env.APP_URL}${releasePath(row.releaseId)}`;
  return { type: "release.distributed", appId: row.appId, data: { ...facts, recipients, by, url } };
}

/** How many people the groups of a distribution have. */
async function countMembers(tx: Db, { groupIds }: PendingRow): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    tx,
    sql`
      SELECT count(DISTINCT "testerId")::int AS "count" FROM "TesterGroupMember"
      WHERE "groupId" = ANY (${groupIds}::uuid[])`,
  );
  return row?.count ?? 0;
}

/** What a transaction of a run has done. */
interface Batch {
  /** Whether there was a distribution to work on. */
  found: boolean;
  /** How many events for webhooks it caused. */
  events: number;
}

/**
 * Makes the next members of one distribution recipients, in one transaction with the place up to which that is done: it can be
 * interrupted and repeated at any time.
 */
async function makeBatch(tx: Db, turns: Turns, now: Date): Promise<Batch> {
  const row = await lockPending(tx, turns);
  if (!row) return { found: false, events: 0 };
  const total = row.total ?? (await countMembers(tx, row));
  const members = await nextMembers(tx, row);
  const mailed = members.filter(isMailed);
  // In the order in which mails are settled, so that the two do not block each other: first the mail, then the recipient.
  if (mailed.length > 0) {
    await planMails(
      tx,
      row.appId,
      mailed.map(({ testerId }) => testerId),
      now,
    );
  }
  const told = members.length > 0 ? await insertRecipients(tx, row.releaseId, members, now) : new Set<string>();
  const pushed = members.flatMap(({ testerId, push }) => (push && told.has(testerId) ? testerId : []));
  if (pushed.length > 0) await planPushes(tx, row.releaseId, pushed, now);
  const isDone = members.length === 0 && !(await hasNextMember(tx, row));
  await queryRows(
    tx,
    sql`
      UPDATE "ReleaseDistribution" SET "total" = ${total}::int, "processed" = "processed" + ${members.length}::int,
        "recipients" = "recipients" + ${told.size}::int, "cursor" = ${members.at(-1)?.testerId ?? row.cursor}::uuid,
        "state" = ${isDone ? "done" : "pending"}::"DistributionState", "finishedAt" = ${isDone ? now : null}::timestamptz
      WHERE "id" = ${row.id}::uuid`,
  );
  const event = isDone ? await distributedEvent(tx, row, row.recipients + told.size) : null;
  return { found: true, events: event ? await emitEvents(tx, [event], now) : 0 };
}

/**
 * Makes the recipients of all distributions that are not done.
 * @returns how many transactions that took, and how many events for webhooks it caused
 */
export async function makeRecipients(
  now: () => Date,
  signal?: AbortSignal,
): Promise<{ batches: number; events: number }> {
  const turns = new Turns();
  let batches = 0;
  let events = 0;
  for (;;) {
    signal?.throwIfAborted();
    const batch = await db.$transaction((tx) => makeBatch(tx, turns, now()), { timeout: 30_000 });
    events += batch.events;
    if (!batch.found) return { batches, events };
    batches += 1;
  }
}

/** Records that users or people without an account have opened or installed a release that was distributed to them. */
export async function recordUse(
  from: Db,
  use: { releaseId: string; userId: string; at: Date; kind: "openedAt" | "installedAt" },
): Promise<void> {
  const isOpening = use.kind === "openedAt";
  await queryRows(
    from,
    sql`
      UPDATE "ReleaseRecipient" r SET "openedAt" = coalesce(r."openedAt", ${use.at}::timestamptz),
        "installedAt" = CASE WHEN ${isOpening} THEN r."installedAt" ELSE coalesce(r."installedAt", ${use.at}::timestamptz) END
      FROM "Tester" t WHERE t."id" = r."testerId" AND t."userId" = ${use.userId}::uuid AND r."releaseId" = ${use.releaseId}::uuid
        AND (r."openedAt" IS NULL OR (r."installedAt" IS NULL AND NOT ${isOpening}))`,
    { prepared: true },
  );
}
