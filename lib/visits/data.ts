import "server-only";
import { type Db, db } from "@/lib/db/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import { INSTALL_STEPS, type InstallStep } from "@/lib/kernel/install-steps";
import { type ByteRange, coversAll, MAX_RANGES, union } from "./ranges";
import {
  afterChange,
  type CountKey,
  countKeyOf,
  type Stop,
  stopOf,
  type VisitChange,
  type VisitDevice,
  type VisitState,
} from "./state";
import type { Visitor } from "./visitor";

/** The columns of the steps. */
const COLUMNS: Readonly<Record<InstallStep, string>> = {
  opened: "openedAt",
  tapped: "tappedAt",
  manifest: "manifestAt",
  begun: "begunAt",
  complete: "completeAt",
  icons: "iconsAt",
};

/** Visits that are written by one statement. */
const BATCH = 500;
/** How often a visit is read and written that other instances change at the same time. */
const ATTEMPTS = 10;

type StepTimes = Record<"openedAt" | "tappedAt" | "manifestAt" | "begunAt" | "completeAt" | "iconsAt", Date | null>;

interface VisitRow extends StepTimes {
  releaseId: string;
  visitorId: string;
  userId: string | null;
  environmentId: string;
  /** Changes with each change of the row; null of a visit that is not written yet, as the rest. */
  version: string | null;
  day: string | null;
  os: VisitDevice["os"];
  osVersion: string | null;
  model: string | null;
  isExact: boolean;
  codes: string[];
  fileId: string | null;
  fileSize: number | null;
  ranges: ByteRange[];
  fromStore: boolean;
}

function toState(row: VisitRow): VisitState | null {
  if (row.day === null) return null;
  const times = row as unknown as Record<string, Date | null>;
  const reached = Object.fromEntries(
    INSTALL_STEPS.flatMap((step) => {
      const at = times[COLUMNS[step]];
      return at ? [[step, at]] : [];
    }),
  );
  const { os, osVersion, model, isExact, codes, fileId, fileSize, ranges, fromStore, day } = row;
  const file = fileId !== null && fileSize !== null ? { fileId, size: fileSize } : null;
  const device = { os, osVersion, model, isExact };
  return { day, device, codes, reached, package: file, ranges: union([], ranges), fromStore };
}

const keyOf = ({ releaseId, visitorId }: { releaseId: string; visitorId: string }) => `${releaseId} ${visitorId}`;

/** How many visits more a count has. What it is not of is null. */
type CountChange = Record<InstallStep | "unseen", number> & {
  day: string | null;
  os: CountKey["os"] | null;
  system: string | null;
  device: string | null;
};

interface StopChange extends Stop {
  /** Null of all days. */
  day: string | null;
  change: number;
}

/** The counts of a visit: that by day, system and model, and the totals that plots of all days and of a period read. */
function countsOf({ day, os, system, device }: CountKey): Pick<CountChange, "day" | "os" | "system" | "device">[] {
  const none = { day: null, os: null, system: null, device: null };
  return [
    { day, os, system, device },
    { ...none, day },
    { ...none, day, os, system },
    { ...none, day, device },
    { ...none, os, system },
    { ...none, device },
  ];
}

/** What a visit that goes on changes in the counts of its release, and in those of its environment. */
function changesOf(before: VisitState | null, after: VisitState): { counts: CountChange[]; stops: StopChange[] } {
  const counts = new Map<string, CountChange>();
  const stops = new Map<string, StopChange>();
  const add = (state: VisitState, by: 1 | -1) => {
    const isUnseen = state.fromStore && !state.reached.complete && state.reached.begun;
    for (const key of countsOf(countKeyOf(state))) {
      const name = JSON.stringify(key);
      const none = { opened: 0, tapped: 0, manifest: 0, begun: 0, complete: 0, icons: 0, unseen: 0 };
      const count = counts.get(name) ?? { ...key, ...none };
      for (const step of INSTALL_STEPS) if (state.reached[step]) count[step] += by;
      if (isUnseen) count.unseen += by;
      counts.set(name, count);
    }
    const stop = stopOf(state);
    for (const day of stop ? [state.day, null] : []) {
      const key = { ...(stop as Stop), day };
      const name = JSON.stringify(key);
      stops.set(name, { ...key, change: (stops.get(name)?.change ?? 0) + by });
    }
  };
  if (before) add(before, -1);
  add(after, 1);
  return {
    counts: [...counts.values()].filter((count) => [...INSTALL_STEPS, "unseen" as const].some((step) => count[step])),
    stops: [...stops.values()].filter(({ change }) => change !== 0),
  };
}

/** Reads visits as they are, also those that are not there yet. Those of releases and users that were deleted are left out. */
function readVisits(changes: readonly VisitChange[]): Promise<VisitRow[]> {
  const userOf = ({ kind, id }: Visitor) => (kind === "user" ? id : null);
  return queryRows<VisitRow>(
    db,
    sql`
      SELECT r."id" AS "releaseId", g."visitorId", g."userId", coalesce(v."environmentId", r."environmentId") AS "environmentId",
        v.xmin::text AS "version", v."day"::text AS "day",
        v."os"::text AS "os", v."osVersion", v."model", v."isExact", v."codes", v."fileId", v."fileSize"::float8 AS "fileSize",
        v."ranges", v."fromStore", v."openedAt", v."tappedAt", v."manifestAt", v."begunAt", v."completeAt", v."iconsAt"
      FROM unnest(${changes.map(({ releaseId }) => releaseId)}::uuid[], ${changes.map(({ visitor }) => visitor.id)}::uuid[],
        ${changes.map(({ visitor }) => userOf(visitor))}::uuid[]) AS g("releaseId", "visitorId", "userId")
        JOIN "Release" r ON r."id" = g."releaseId" LEFT JOIN "User" u ON u."id" = g."userId"
        LEFT JOIN "InstallVisit" v ON v."releaseId" = g."releaseId" AND v."visitorId" = g."visitorId"
      WHERE g."userId" IS NULL OR u."id" IS NOT NULL`,
    { prepared: true },
  );
}

/** A visit as it becomes, with what it changes in the counts. */
function toRow(row: VisitRow, change: VisitChange): object {
  const before = toState(row);
  const after = afterChange(before, change);
  const { day, device, codes, reached, package: file, ranges, fromStore } = after;
  const { os, osVersion, model, isExact = false } = device;
  const { releaseId, visitorId, userId, environmentId, version } = row;
  return {
    ...{ releaseId, visitorId, userId, environmentId, version },
    ...{ day, os, osVersion, model, isExact, codes, ranges, fromStore },
    fileId: file?.fileId ?? null,
    fileSize: file?.size ?? null,
    lastAt: change.at,
    ...Object.fromEntries(INSTALL_STEPS.map((step) => [COLUMNS[step], reached[step] ?? null])),
    ...changesOf(before, after),
  };
}

/** The columns of a visit that change, with what they become of a row `n`. */
const CHANGED = [
  ...["day", "os", "osVersion", "model", "isExact", "codes", "fileId", "fileSize", "ranges", "fromStore", "lastAt"],
  ...Object.values(COLUMNS),
];
const CHANGED_NAMES = raw(CHANGED.map((name) => `"${name}"`).join(", "));
const CHANGED_VALUES = raw(CHANGED.map((name) => `n."${name}"`).join(", "));

/**
 * Writes visits with the counts of their releases and environments, by one statement. Rows are locked in their order, the same in all
 * instances, and visits before counts. A visit that has changed since it was read is left out, with all that belongs to it.
 * @returns those that were written
 */
function storeVisits(rows: readonly object[]): Promise<Pick<VisitRow, "releaseId" | "visitorId">[]> {
  return queryRows(
    db,
    sql`
      WITH given AS MATERIALIZED (
        SELECT n.* FROM unnest(${rows.map((row) => JSON.stringify(row))}::json[]) given("row") CROSS JOIN LATERAL
          json_to_record(given."row") AS n("releaseId" uuid, "visitorId" uuid, "userId" uuid, "environmentId" uuid, "version" text,
            "day" date, "os" "DeviceKind", "osVersion" text, "model" text, "isExact" boolean, "codes" text[], "fileId" uuid,
            "fileSize" bigint, "ranges" jsonb, "fromStore" boolean, "openedAt" timestamptz, "tappedAt" timestamptz,
            "manifestAt" timestamptz, "begunAt" timestamptz, "completeAt" timestamptz, "iconsAt" timestamptz, "lastAt" timestamptz,
            "counts" json, "stops" json)
      ), locked AS MATERIALIZED (
        SELECT v."releaseId", v."visitorId" FROM given n
          JOIN "InstallVisit" v ON v."releaseId" = n."releaseId" AND v."visitorId" = n."visitorId"
        WHERE v.xmin::text = n."version" ORDER BY v."releaseId", v."visitorId" FOR UPDATE OF v
      ), changed AS (
        UPDATE "InstallVisit" v SET (${CHANGED_NAMES}) = ROW(${CHANGED_VALUES})
        FROM given n JOIN locked l ON l."releaseId" = n."releaseId" AND l."visitorId" = n."visitorId"
        WHERE v."releaseId" = l."releaseId" AND v."visitorId" = l."visitorId"
        RETURNING v."releaseId", v."visitorId"
      ), added AS (
        INSERT INTO "InstallVisit" ("releaseId", "visitorId", "userId", "environmentId", ${CHANGED_NAMES})
        SELECT n."releaseId", n."visitorId", n."userId", n."environmentId", ${CHANGED_VALUES} FROM given n
        WHERE n."version" IS NULL AND (SELECT count(*) FROM changed) >= 0 ORDER BY n."releaseId", n."visitorId"
        ON CONFLICT ("releaseId", "visitorId") DO NOTHING
        RETURNING "releaseId", "visitorId"
      ), stored AS MATERIALIZED (
        SELECT n.* FROM given n JOIN (SELECT * FROM changed UNION ALL SELECT * FROM added) s
          ON s."releaseId" = n."releaseId" AND s."visitorId" = n."visitorId"
      ), counted AS (
        INSERT INTO "InstallCount" AS c ("environmentId", "releaseId", "day", "os", "system", "device", "opened", "tapped", "manifest",
          "begun", "complete", "icons", "unseen")
        SELECT s."environmentId", place."releaseId", n."day", n."os", n."system", n."device", sum(n."opened"), sum(n."tapped"),
          sum(n."manifest"), sum(n."begun"), sum(n."complete"), sum(n."icons"), sum(n."unseen")
        FROM stored s CROSS JOIN LATERAL (VALUES (s."releaseId"), (NULL)) place("releaseId")
          CROSS JOIN LATERAL json_to_recordset(s."counts") AS n("day" date, "os" "DeviceKind", "system" text, "device" text,
            "opened" int, "tapped" int, "manifest" int, "begun" int, "complete" int, "icons" int, "unseen" int)
        GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
        ON CONFLICT ("environmentId", "releaseId", "day", "os", "system", "device") DO UPDATE SET
          "opened" = c."opened" + EXCLUDED."opened", "tapped" = c."tapped" + EXCLUDED."tapped",
          "manifest" = c."manifest" + EXCLUDED."manifest", "begun" = c."begun" + EXCLUDED."begun",
          "complete" = c."complete" + EXCLUDED."complete", "icons" = c."icons" + EXCLUDED."icons",
          "unseen" = c."unseen" + EXCLUDED."unseen"
      ), stopped AS (
        INSERT INTO "InstallStop" AS c ("environmentId", "releaseId", "day", "step", "codes", "count")
        SELECT s."environmentId", place."releaseId", n."day", n."step", n."codes", sum(n."change")
        FROM stored s CROSS JOIN LATERAL (VALUES (s."releaseId"), (NULL)) place("releaseId")
          CROSS JOIN LATERAL json_to_recordset(s."stops") AS n("day" date, "step" text, "codes" text[], "change" int)
        GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT ("environmentId", "releaseId", "day", "step", "codes") DO UPDATE SET "count" = c."count" + EXCLUDED."count"
      )
      SELECT "releaseId", "visitorId" FROM stored`,
    { prepared: true },
  );
}

/** Ranges that a visit has until those that touch are joined. */
const MAX_APPENDED = MAX_RANGES / 4;

/** Whether nothing but more bytes of a package were sent, without its last ones, which most often complete it. */
function isProgress({ steps, device, codes, fromStore, package: file, ranges = [] }: VisitChange): boolean {
  const isMore = steps.length === 0 && !device && !codes && fromStore === undefined && file !== undefined;
  return isMore && ranges.every(([, end]) => end < file.size);
}

/**
 * Adds ranges to visits of the same package by one statement: while a package is sent, this happens all the time.
 * @returns the changes that have to be written in full: those that complete a visit or find it at another file
 */
async function appendRanges(changes: readonly VisitChange[]): Promise<VisitChange[]> {
  if (changes.length === 0) return [];
  const given = changes.map(({ releaseId, visitor, package: file, ranges, at }) =>
    JSON.stringify({ releaseId, visitorId: visitor.id, fileId: file?.fileId, ranges, lastAt: at }),
  );
  const rows = await queryRows<Pick<VisitRow, "releaseId" | "visitorId" | "ranges"> & { size: number; done: boolean }>(
    db,
    sql`
      UPDATE "InstallVisit" v SET "lastAt" = n."lastAt",
        "ranges" = CASE WHEN v."completeAt" IS NULL THEN v."ranges" || n."ranges" ELSE v."ranges" END
      FROM unnest(${given}::json[]) given("row") CROSS JOIN LATERAL
        json_to_record(given."row") AS n("releaseId" uuid, "visitorId" uuid, "fileId" uuid, "ranges" jsonb, "lastAt" timestamptz)
      WHERE v."releaseId" = n."releaseId" AND v."visitorId" = n."visitorId" AND v."fileId" = n."fileId"
        AND jsonb_array_length(v."ranges") < ${MAX_APPENDED}
      RETURNING v."releaseId", v."visitorId", v."ranges", v."fileSize"::float8 AS "size", v."completeAt" IS NOT NULL AS "done"`,
    { prepared: true },
  );
  const written = new Set(
    rows.filter(({ ranges, size, done }) => done || !coversAll(union([], ranges), size)).map(keyOf),
  );
  return changes.filter((change) => !written.has(orderOf(change)));
}

/** Writes changes of visits, again where another instance has changed a visit in between. */
async function writeBatch(changes: readonly VisitChange[]): Promise<void> {
  let left = changes;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const byKey = new Map(left.map((change) => [orderOf(change), change]));
    const found = (await readVisits(left)).map((row) => ({ row, change: byKey.get(keyOf(row)) as VisitChange }));
    const stored = found.length > 0 ? await storeVisits(found.map(({ row, change }) => toRow(row, change))) : [];
    const written = new Set(stored.map(keyOf));
    left = found.flatMap(({ row, change }) => (written.has(keyOf(row)) ? [] : [change]));
    if (left.length === 0) return;
  }
  throw new Error(`${left.length} visits were changed elsewhere each time they were written`);
}

/**
 * Writes what happened in visits, with the counts of their releases and environments.
 * @param changes one for each visit
 */
export async function writeVisits(changes: readonly VisitChange[]): Promise<void> {
  const { progress = [], other = [] } = Object.groupBy(changes, (one) => (isProgress(one) ? "progress" : "other"));
  const ordered = [...other, ...(await appendRanges(progress))].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  for (let start = 0; start < ordered.length; start += BATCH) await writeBatch(ordered.slice(start, start + BATCH));
}

const orderOf = ({ releaseId, visitor }: VisitChange) => keyOf({ releaseId, visitorId: visitor.id });

/** Visits that are deleted by one statement. */
const FORGOTTEN = 10_000;

/** Deletes visits of people without an account that have not gone on for long. They stay counted. @returns how many there were */
export async function forgetVisits(from: Db, before: Date): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const rows = await queryRows(
      from,
      sql`
        DELETE FROM "InstallVisit" WHERE ("releaseId", "visitorId") IN (
          SELECT "releaseId", "visitorId" FROM "InstallVisit" WHERE "userId" IS NULL AND "lastAt" < ${before}
          ORDER BY "lastAt" LIMIT ${FORGOTTEN})
        RETURNING 1`,
    );
    forgotten += rows.length;
    if (rows.length < FORGOTTEN) return forgotten;
  }
}
