import "server-only";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { NEWEST_FIRST } from "@/lib/db/release-order";
import { type ReleaseRow, readReleases } from "@/lib/features/releases/data/rows";
import { closeUntold, dropPushMessages, HAS_PUSH, lockUntold } from "@/lib/testers/push-subscriptions";
import { hashOfSecret } from "@/lib/testers/secrets";

/** Releases on the page of somebody without an account. */
const MAX_LISTED = 100;

/** An application of which somebody is a tester. */
export interface TestedApp {
  id: string;
  name: string;
  /** Whether they are told of its releases. */
  notify: boolean;
}

/** Somebody who opens an address with their secret. */
export interface Visitor {
  id: string;
  /** Of a user, whose secret only unsubscribes. */
  userId: string | null;
  email: string;
  confirmedAt: Date | null;
  bouncedAt: Date | null;
  /** The name of the console. */
  operator: string;
  apps: TestedApp[];
}

/** The person of a secret; null if there is none. */
export async function findVisitor(secret: string): Promise<Visitor | null> {
  const [row] = await queryRows<Visitor>(
    db,
    sql`
      SELECT t."id", t."userId", coalesce(u."email", t."email") AS "email", t."confirmedAt", t."bouncedAt",
        (SELECT "name" FROM "AppConfig" WHERE "id" = 1) AS "operator",
        coalesce((SELECT json_agg(json_build_object('id', a."id", 'name', a."name", 'notify', a."notify") ORDER BY a."name", a."id")
          FROM (
            SELECT a."id", a."name", bool_or(m."notify") AND (t."mail" OR ${HAS_PUSH}) AS "notify"
            FROM "TesterGroupMember" m JOIN "TesterGroup" g ON g."id" = m."groupId" JOIN "App" a ON a."id" = g."appId"
            WHERE m."testerId" = t."id" GROUP BY a."id", a."name"
          ) a), '[]'::json) AS "apps"
      FROM "Tester" t LEFT JOIN "User" u ON u."id" = t."userId" WHERE t."secretHash" = ${hashOfSecret(secret)}`,
    { prepared: true },
  );
  return row ?? null;
}

/** Whether somebody has a page of their own: they have no account, and have agreed. */
export function isTester({ userId, confirmedAt }: Visitor): boolean {
  return userId === null && confirmedAt !== null;
}

/** The releases that were distributed to a group of somebody, in places that are switched on. */
const distributedTo = (testerId: string) => sql`
  FROM "TesterGroupMember" m JOIN "ReleaseTesterGroup" d ON d."groupId" = m."groupId"
  JOIN "Release" r ON r."id" = d."releaseId" JOIN "Environment" e ON e."id" = r."environmentId" AND e."status" = 'active'
  JOIN "App" a ON a."id" = e."appId" AND a."status" = 'active' WHERE m."testerId" = ${testerId}::uuid`;

/** The latest releases of somebody without an account, the latest one first. */
export async function releasesOfVisitor({ id }: Visitor): Promise<ReleaseRow[]> {
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM "Release" r WHERE r."id" IN (SELECT r."id" ${distributedTo(id)})
      ORDER BY ${NEWEST_FIRST} LIMIT ${MAX_LISTED}`,
  );
  return rows;
}

/** A release that a tester without an account may open; null if it was not distributed to a group of theirs. */
export async function releaseOfVisitor({ id }: Visitor, releaseId: string): Promise<ReleaseRow | null> {
  const { rows } = await readReleases(
    db,
    sql`SELECT r.* FROM "Release" r WHERE r."id" = ${releaseId}::uuid AND r."id" IN (SELECT r."id" ${distributedTo(id)})`,
  );
  return rows[0] ?? null;
}

/** Records that a tester without an account has agreed to be notified. */
export async function confirmVisitor(testerId: string, now: Date): Promise<void> {
  await db.tester.updateMany({
    where: { id: testerId, confirmedAt: null },
    data: { confirmedAt: now, bouncedAt: null },
  });
}

/** Records when a tester without an account opened or installed a release, also if they joined its group later. */
export async function recordVisitorUse(use: {
  testerId: string;
  releaseId: string;
  at: Date;
  installed: boolean;
}): Promise<void> {
  const { testerId, releaseId, at, installed } = use;
  await queryRows(
    db,
    sql`
      INSERT INTO "ReleaseRecipient" AS known ("releaseId", "testerId", "untold", "mailDue", "openedAt", "installedAt", "createdAt")
      VALUES (${releaseId}::uuid, ${testerId}::uuid, 'silent', false, ${at}::timestamptz, ${installed ? at : null}::timestamptz,
        ${at}::timestamptz)
      ON CONFLICT ("releaseId", "testerId") DO UPDATE SET "openedAt" = coalesce(known."openedAt", EXCLUDED."openedAt"),
        "installedAt" = coalesce(known."installedAt", EXCLUDED."installedAt")
        WHERE known."openedAt" IS NULL OR (known."installedAt" IS NULL AND ${installed})`,
    { prepared: true },
  );
}

/**
 * Turns the mails and notifications about an application on or off for a tester. When they are turned off, those that
 * are still to be sent are dropped.
 */
export async function setNotify(tx: Db, testerId: string, appId: string, notify: boolean): Promise<void> {
  await lockUntold(tx, testerId);
  await queryRows(
    tx,
    sql`
      UPDATE "TesterGroupMember" m SET "notify" = ${notify} FROM "TesterGroup" g
      WHERE g."id" = m."groupId" AND g."appId" = ${appId}::uuid AND m."testerId" = ${testerId}::uuid`,
  );
  if (notify) {
    // A tester who turned off all mails wants those of this application from now on, and an address that was refused may work by now.
    await tx.tester.updateMany({ where: { id: testerId }, data: { mail: true, bouncedAt: null } });
    return;
  }
  await queryRows(
    tx,
    sql`
      UPDATE "ReleaseRecipient" o SET "mailDue" = false
      FROM "Release" r JOIN "Environment" e ON e."id" = r."environmentId"
      WHERE r."id" = o."releaseId" AND e."appId" = ${appId}::uuid AND o."testerId" = ${testerId}::uuid
        AND o."mailDue"`,
  );
  await dropPushMessages(tx, testerId, sql`e."appId" = ${appId}::uuid`);
  await closeUntold(tx, testerId);
  await queryRows(
    tx,
    sql`
      UPDATE "TesterMail" SET "dueAt" = NULL, "tries" = 0 WHERE "testerId" = ${testerId}::uuid AND "appId" = ${appId}::uuid`,
  );
}
