import "server-only";
import { EXPIRY_STEPS, type ExpiryStep, expiryStep } from "@slipway/certificates";
import { loadUserRights } from "@/lib/auth/actor";
import { type Db, db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
import { type KeyedExpiring, listExpiring } from "@/lib/expiry/expiring";
import { DEFAULT_LOCALE } from "@/lib/kernel/i18n/locales";
import { BEFORE_ALL_IDS } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { DAY_MS } from "@/lib/kernel/time";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import { isTester } from "@/lib/permissions/tester";
import type { Job } from "./job";
import { requestMail } from "./mail";

/** Things that one mail names; it says how many more there are. */
const MAX_NAMED = 20;

/** How many things a run reads; those that end first. */
const MAX_ITEMS = 1_000;

/** How many users are looked at with one statement. */
const BATCH = 500;

/** How many days after the end of a thing its notices are deleted. */
const NOTICE_RETENTION_DAYS = 90;

/** Something that ends soon, and the step that it has reached. */
interface Due extends KeyedExpiring {
  step: ExpiryStep;
}

/** When each API token was made, by its ID. */
async function tokenStarts(from: Db, items: readonly KeyedExpiring[]): Promise<Map<string, Date>> {
  const ids = items.flatMap(({ kind, id }) => (kind === "token" ? [id] : []));
  if (ids.length === 0) return new Map();
  const tokens = await from.apiToken.findMany({ where: { id: { in: ids } }, select: { id: true, createdAt: true } });
  return new Map(tokens.map(({ id, createdAt }) => [id, createdAt]));
}

/**
 * The things that a viewer may see and that have reached a step. A token that is valid for no longer than a step is
 * left out at that step.
 */
async function dueFor(viewer: Parameters<typeof listExpiring>[1], now: Date): Promise<Due[]> {
  const wanted = { within: EXPIRY_STEPS[0], ended: false, limit: MAX_ITEMS, now };
  const { items } = await listExpiring(db, viewer, wanted);
  const starts = await tokenStarts(db, items);
  return items.flatMap((item) => {
    const endsAt = new Date(item.endsAt);
    const step = expiryStep(endsAt, now);
    if (step === null || step === "expired") return [];
    const start = starts.get(item.id);
    const isShort = start !== undefined && endsAt.getTime() - start.getTime() <= step * DAY_MS;
    return isShort ? [] : [{ ...item, step }];
  });
}

interface Reader {
  id: string;
  /** Users with the same key have the same rights. */
  rightsKey: string;
}

/** The next active users who want mails and got none today, by their IDs. */
function nextReaders(after: string, now: Date): Promise<Reader[]> {
  return queryRows<Reader>(
    db,
    sql`
      SELECT u."id", u."roleId" || CASE WHEN r."name" <> ${SUPER_ADMIN} AND (
          EXISTS (SELECT 1 FROM "TwoFactor" f WHERE f."userId" = u."id" AND f."enabledAt" IS NOT NULL)
          OR EXISTS (SELECT 1 FROM "Passkey" k WHERE k."userId" = u."id")) THEN ' with a second factor' ELSE '' END AS "rightsKey"
      FROM "User" u JOIN "Role" r ON r."id" = u."roleId"
      WHERE u."id" > ${after}::uuid AND u."status" = 'active' AND u."expiryMail"
        AND NOT EXISTS (SELECT 1 FROM "ExpiryNotice" n WHERE n."userId" = u."id" AND n."day" = (${now}::timestamptz AT TIME ZONE 'UTC')::date)
      ORDER BY u."id" LIMIT ${BATCH}`,
  );
}

const asJson = (due: readonly Due[]) => JSON.stringify(due.map(({ key, endsAt, step }) => ({ key, endsAt, step })));

/** The users among `userIds` who were not told of everything that is due. */
async function untoldOf(userIds: readonly string[], due: readonly Due[]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`
      SELECT u."id" FROM unnest(${userIds}::uuid[]) u("id") WHERE EXISTS (
        SELECT 1 FROM json_to_recordset(${asJson(due)}::json) d("key" text, "endsAt" timestamptz, "step" int)
        WHERE NOT EXISTS (SELECT 1 FROM "ExpiryNotice" n WHERE n."userId" = u."id" AND n."key" = d."key"
          AND n."endsAt" = d."endsAt" AND n."step" <= d."step"))
      ORDER BY u."id"`,
  );
  return rows.map(({ id }) => id);
}

/** Records the due things that a user was not told of, unless they got a mail today. @returns the recorded keys */
function recordNotices(tx: Db, userId: string, due: readonly Due[], now: Date): Promise<{ key: string }[]> {
  return queryRows<{ key: string }>(
    tx,
    sql`
      INSERT INTO "ExpiryNotice" ("userId", "key", "endsAt", "step", "day")
      SELECT ${userId}::uuid, d."key", d."endsAt", d."step", (${now}::timestamptz AT TIME ZONE 'UTC')::date
      FROM json_to_recordset(${asJson(due)}::json) d("key" text, "endsAt" timestamptz, "step" int)
      WHERE NOT EXISTS (SELECT 1 FROM "ExpiryNotice" n WHERE n."userId" = ${userId}::uuid AND (n."day" = (${now}::timestamptz AT TIME ZONE 'UTC')::date
        OR n."key" = d."key" AND n."endsAt" = d."endsAt" AND n."step" <= d."step"))
      ON CONFLICT DO NOTHING RETURNING "key"`,
  );
}

/** Requests the mail of a user, if there is anything that they were not told of. @returns whether it was requested */
function requestMailOf(userId: string, due: readonly Due[], now: Date): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await lockRow(tx, "User", userId);
    const recorded = new Set((await recordNotices(tx, userId, due, now)).map(({ key }) => key));
    const told = due.filter(({ key }) => recorded.has(key));
    if (told.length === 0) return false;
    const items = told.slice(0, MAX_NAMED).map(({ kind, name, app, environment, release, endsAt, daysLeft }) => ({
      ...{ kind, name, endsAt, daysLeft },
      place: [
        app?.name,
        environment?.name,
        release && `${release.platform} ${release.version} (${release.buildNumber})`,
      ]
        .filter(Boolean)
        .join(" · "),
    }));
    await requestMail(tx, { purpose: "expiring", userId, locale: DEFAULT_LOCALE, count: told.length, items });
    return true;
  });
}

/**
 * Requests a mail to each user about the things that the user may see and that have newly reached a step: 30, 7 or 1
 * days before the end, or the day of the end. Each step is mentioned once. A user gets at most one mail a day (UTC);
 * things that reach a step later are in the next day's mail.
 * @returns the number of mails
 */
export async function requestExpiryMails({ now, signal }: { now: Date; signal?: AbortSignal }): Promise<number> {
  await db.expiryNotice.deleteMany({
    where: { endsAt: { lt: new Date(now.getTime() - NOTICE_RETENTION_DAYS * DAY_MS) } },
  });
  if ((await dueFor("console", now)).length === 0) return 0;
  const dueOf = new Map<string, Due[]>();
  let mails = 0;
  for (let last = BEFORE_ALL_IDS; ; ) {
    const readers = await nextReaders(last, now);
    for (const [rightsKey, members] of Map.groupBy(readers, (reader) => reader.rightsKey)) {
      const ids = members.map(({ id }) => id);
      const due = dueOf.get(rightsKey) ?? (await dueOfUser(ids[0] as string, now));
      dueOf.set(rightsKey, due);
      for (const userId of due.length > 0 ? await untoldOf(ids, due) : []) {
        signal?.throwIfAborted();
        if (await requestMailOf(userId, due, now)) mails += 1;
      }
    }
    const end = readers.at(-1);
    if (readers.length < BATCH || !end) return mails;
    last = end.id;
  }
}

/**
 * The due things that a user may see. Testers get none, because they cannot renew anything. Certificates are included
 * for administrators and users with a second factor, since a mail cannot ask for one.
 */
async function dueOfUser(userId: string, now: Date): Promise<Due[]> {
  const rights = await loadUserRights(db, userId);
  return rights && !isTester(rights) ? dueFor({ ...rights, secondFactor: rights.hasSecondFactor }, now) : [];
}

/** Tells users of what ends soon, every hour. */
export const expiryMailsJob: Job = {
  queue: "expiry-mails",
  // `exclusive`: one run waits or runs, over all instances.
  options: { policy: "exclusive", retryLimit: 0, expireInSeconds: 3_000 },
  work: { pollingIntervalSeconds: 30 },
  schedule: "15 * * * *",
  async run(_data, { signal }) {
    const mails = await requestExpiryMails({ now: new Date(), signal });
    if (mails > 0) log.info({ mails }, "users are told of what ends soon");
    return "done";
  },
};
