import "server-only";
import { writeAudit } from "@/lib/audit/write";
import { type Db, db } from "@/lib/db/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { DEFAULT_LOCALE } from "@/lib/kernel/i18n/locales";
import { BEFORE_ALL_IDS, newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/time";
import { moveToBin } from "@/lib/storage/bin";
import { leavingReleases, type RetentionRule } from "@/lib/storage/retention";
import type { Job } from "./job";
import { requestMail } from "./mail";

/**
 * The least time between the announcement of a release and its move to the bin: a day, less an hour by which daily runs
 * may differ.
 */
const MIN_NOTICE_MS = DAY_MS - HOUR_MS;

/** Releases that one mail names; it says how many more there are. */
const MAX_NAMED = 20;

/** How many releases are read at a time. */
const BATCH = 100;

interface Place {
  environmentId: string;
  environment: string;
  appId: string;
  app: string;
}
type RetainedPlace = Place & RetentionRule;

/** The environments in which releases do not stay for ever. */
function retainedPlaces(from: Db): Promise<RetainedPlace[]> {
  return queryRows<RetainedPlace>(
    from,
    sql`
      SELECT t."environmentId", e."name" AS "environment", a."id" AS "appId", a."name" AS "app", t."keepNewest", t."keepDays",
        t."keepWithShareLink", t."mayDeleteAll"
      FROM "Retention" t JOIN "Environment" e ON e."id" = t."environmentId" JOIN "App" a ON a."id" = e."appId"
      ORDER BY t."environmentId"`,
  );
}

interface AnnouncedRow {
  userId: string;
  releases: string[];
  count: number;
}

/**
 * Announces the releases of an environment that go to the bin a day later, by one mail to each user who published some of them,
 * or made the token that did. Withdraws announcements of releases that stay by now.
 * @returns how many releases were announced
 */
async function announce(tx: Db, place: RetainedPlace, now: Date): Promise<number> {
  const { appId, environmentId, app, environment } = place;
  const leaving = leavingReleases(
    environmentId,
    place,
    new Date(now.getTime() + DAY_MS),
    sql`r."id", r."size" + r."universalSize" + r."filesSize" AS "size"`,
  );
  await queryRows(
    tx,
    sql`
      DELETE FROM "RetentionNotice" n USING "Release" of_notice
      WHERE of_notice."id" = n."releaseId" AND of_notice."environmentId" = ${environmentId}::uuid
        AND n."releaseId" NOT IN (SELECT l."id" FROM (${leaving}) l)`,
  );
  await queryRows(
    tx,
    sql`
      UPDATE "Retention" t SET "dueReleases" = due."releases", "dueBytes" = due."bytes"
      FROM (SELECT count(*) AS "releases", coalesce(sum(l."size"), 0) AS "bytes" FROM (${leaving}) l) due
      WHERE t."environmentId" = ${environmentId}::uuid`,
  );
  const announced = await queryRows<AnnouncedRow>(
    tx,
    sql`
      WITH announced AS (
        INSERT INTO "RetentionNotice" ("releaseId", "at") SELECT l."id", ${now}::timestamptz FROM (${leaving}) l
        ON CONFLICT DO NOTHING RETURNING "releaseId"
      )
      SELECT coalesce(r."createdByUser", t."createdBy") AS "userId", count(*)::int AS "count",
        (array_agg(r."displayName" || ' ' || r."version" || ' (' || r."buildNumber" || ')'
          ORDER BY r."deployDate" DESC, r."id"))[1:${raw(String(MAX_NAMED))}] AS "releases"
      FROM announced JOIN "Release" r ON r."id" = announced."releaseId" LEFT JOIN "ApiToken" t ON t."id" = r."createdByToken"
      GROUP BY 1`,
  );
  for (const { userId, releases, count } of announced) {
    const mail = { purpose: "releases-leave" as const, appId, environmentId, app, environment, count, releases };
    // Releases whose publisher no longer exists are not announced.
    if (userId !== null) await requestMail(tx, { ...mail, userId, locale: DEFAULT_LOCALE });
  }
  return announced.reduce((total, { count }) => total + count, 0);
}

interface LeavingRow {
  id: string;
  version: string;
  buildNumber: string;
  identifier: string;
  displayName: string;
  platform: "ios" | "android" | "other";
}

function deletedEvent(place: Place, { id, ...release }: LeavingRow): ConsoleEvent {
  const data = {
    app: { id: place.appId, name: place.app },
    environment: { id: place.environmentId, name: place.environment },
    release: { id, ...release },
    by: { userId: null, tokenId: null },
  };
  return { type: "release.deleted", appId: place.appId, data };
}

/** Moves a release to the bin unless it stays by now. @returns whether it was moved */
async function moveOne(place: RetainedPlace, releaseId: string, now: Date): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const [release] = await queryRows<LeavingRow>(
      tx,
      sql`
        SELECT r."id", r."version", r."buildNumber", r."identifier", r."displayName", p."kind" AS "platform"
        FROM "Release" r JOIN "Platform" p ON p."id" = r."platformId"
        WHERE r."id" = ${releaseId}::uuid AND NOT r."keep" FOR UPDATE OF r`,
    );
    const moved =
      release && (await moveToBin(tx, releaseId, { reason: "retention", userId: null, tokenId: null, now }));
    if (!release || !moved) return false;
    const { version, buildNumber, identifier } = release;
    const facts = { environmentId: place.environmentId, version, buildNumber, identifier, reason: "retention" };
    await writeAudit(tx, {
      actor: { kind: "anonymous", expired: false },
      request: { requestId: newId(), ip: null, now },
      table: "Release",
      action: "delete",
      recordId: releaseId,
      changes: Object.fromEntries(Object.entries(facts).map(([field, value]) => [field, [value, null]])),
      appId: place.appId,
      events: [deletedEvent(place, release)],
    });
    return true;
  });
}

/** Moves the announced releases of an environment that still do not stay to the bin. */
async function move(
  place: RetainedPlace,
  { now, signal, failures }: { now: Date; signal: AbortSignal | undefined; failures: unknown[] },
): Promise<number> {
  const announcedBefore = new Date(now.getTime() - MIN_NOTICE_MS);
  let moved = 0;
  for (let last = BEFORE_ALL_IDS; ; ) {
    // Read again for each batch: somebody may have made a share link or changed the rule.
    const rows = await queryRows<{ id: string }>(
      db,
      sql`
        SELECT l."id" FROM (${leavingReleases(place.environmentId, place, now, sql`r."id"`)}) l
        JOIN "RetentionNotice" n ON n."releaseId" = l."id"
        WHERE n."at" <= ${announcedBefore}::timestamptz AND l."id" > ${last}::uuid ORDER BY l."id" LIMIT ${BATCH}`,
    );
    for (const { id } of rows) {
      signal?.throwIfAborted();
      try {
        if (await moveOne(place, id, now)) moved += 1;
      } catch (error) {
        failures.push(error);
      }
      last = id;
    }
    if (rows.length < BATCH) return moved;
  }
}

/**
 * Moves the releases that do not stay, and were announced a day before, to the bin, and announces the next ones. An environment or
 * release that fails does not stop the others.
 * @throws AggregateError of all failures
 */
export async function applyRetention({
  now,
  signal,
}: {
  now: Date;
  signal?: AbortSignal;
}): Promise<{ moved: number; announced: number }> {
  const failures: unknown[] = [];
  const result = { moved: 0, announced: 0 };
  for (const place of await retainedPlaces(db)) {
    signal?.throwIfAborted();
    try {
      result.moved += await move(place, { now, signal, failures });
      result.announced += await db.$transaction((tx) => announce(tx, place, now));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "retention could not be applied everywhere");
  return result;
}

/** Applies retention once a day. */
export const retentionJob: Job = {
  queue: "retention",
  // `exclusive`: one run waits or runs, over all instances.
  options: { policy: "exclusive", retryLimit: 0, expireInSeconds: 3_600 },
  work: { pollingIntervalSeconds: 30 },
  schedule: "20 3 * * *",
  async run(_data, { signal }) {
    log.info(await applyRetention({ now: new Date(), signal }), "retention was applied");
    return "done";
  },
};
