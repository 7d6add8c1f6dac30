import "server-only";
import { type Db, db } from "@/lib/db/client";
import { inPlainTransaction, queryRows, type Sql, sql } from "@/lib/db/query";
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

/** The columns of the steps. */
const COLUMNS: Readonly<Record<InstallStep, string>> = {
  opened: "openedAt",
  tapped: "tappedAt",
  manifest: "manifestAt",
  begun: "begunAt",
  complete: "completeAt",
  icons: "iconsAt",
};

/** Visits that are written by one transaction. */
const BATCH = 500;

/** Runs a statement in a transaction. */
type Run = <Row>(statement: Sql) => Promise<Row[]>;

type StepTimes = Record<"openedAt" | "tappedAt" | "manifestAt" | "begunAt" | "completeAt" | "iconsAt", Date | null>;

interface VisitRow extends StepTimes {
  releaseId: string;
  visitorId: string;
  environmentId: string;
  /** Null of a visit that is not written yet. */
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

/** A count that changes by some visits. What it is not of is null. */
interface CountChange {
  environmentId: string;
  releaseId: string | null;
  day: string | null;
  os: CountKey["os"] | null;
  system: string | null;
  device: string | null;
  values: Record<InstallStep | "unseen", number>;
}

interface StopChange extends Stop {
  environmentId: string;
  releaseId: string | null;
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

/** What the counts of releases and their environments change by. */
class Changes {
  readonly #counts = new Map<string, CountChange>();
  readonly #stops = new Map<string, StopChange>();

  /** @param by 1 for the state that is counted, -1 for the one that is no longer */
  add({ environmentId, releaseId }: VisitRow, state: VisitState, by: 1 | -1): void {
    const counts = countsOf(countKeyOf(state));
    const stop = stopOf(state);
    const isUnseen = state.fromStore && !state.reached.complete && state.reached.begun;
    for (const place of [
      { environmentId, releaseId },
      { environmentId, releaseId: null },
    ]) {
      for (const count of counts) {
        const change = this.#countOf({ ...place, ...count });
        for (const step of INSTALL_STEPS) if (state.reached[step]) change.values[step] += by;
        if (isUnseen) change.values.unseen += by;
      }
      if (stop) for (const day of [state.day, null]) this.#stopOf({ ...place, ...stop, day }).change += by;
    }
  }

  #countOf(key: Omit<CountChange, "values">): CountChange {
    const { environmentId, releaseId, day, os, system, device } = key;
    const name = JSON.stringify([environmentId, releaseId, day, os, system, device]);
    const values = { opened: 0, tapped: 0, manifest: 0, begun: 0, complete: 0, icons: 0, unseen: 0 };
    const change = this.#counts.get(name) ?? { ...key, values };
    this.#counts.set(name, change);
    return change;
  }

  #stopOf(key: Omit<StopChange, "change">): StopChange {
    const { environmentId, releaseId, day, step, codes } = key;
    const name = JSON.stringify([environmentId, releaseId, day, step, codes]);
    const change = this.#stops.get(name) ?? { ...key, change: 0 };
    this.#stops.set(name, change);
    return change;
  }

  /** Sorted, so that instances that count at the same moment lock rows in the same order. */
  get counts(): object[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { values, ...key }]) => ({ ...key, ...values }))
      .filter(({ opened, tapped, manifest, begun, complete, icons, unseen }) =>
        [opened, tapped, manifest, begun, complete, icons, unseen].some(Boolean),
      );
  }

  get stops(): object[] {
    return [...this.#stops]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, stop]) => (stop.change === 0 ? [] : [stop]));
  }
}

/**
 * Locks the rows of visits, and makes those that are not there yet. Those of releases and users that were deleted are left out.
 * @returns them in the order in which they are locked, the same in all instances
 */
async function lockVisits(run: Run, changes: readonly VisitChange[]): Promise<VisitRow[]> {
  const rows = changes.map(({ releaseId, visitor: { kind, id } }) => ({
    releaseId,
    visitorId: id,
    userId: kind === "user" ? id : null,
  }));
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::json) AS g("releaseId" uuid, "visitorId" uuid, "userId" uuid)`;
  await run(
    sql`
      INSERT INTO "InstallVisit" ("releaseId", "visitorId", "userId", "environmentId", "lastAt")
      SELECT r."id", g."visitorId", u."id", r."environmentId", now() FROM ${given}
        JOIN "Release" r ON r."id" = g."releaseId" LEFT JOIN "User" u ON u."id" = g."userId"
      WHERE (g."userId" IS NULL) = (u."id" IS NULL)
      ORDER BY g."releaseId", g."visitorId"
      ON CONFLICT ("releaseId", "visitorId") DO NOTHING`,
  );
  return run<VisitRow>(
    sql`
      SELECT v."releaseId", v."visitorId", v."environmentId", v."day"::text AS "day", v."os"::text AS "os", v."osVersion", v."model",
        v."isExact", v."codes", v."fileId", v."fileSize"::float8 AS "fileSize", v."ranges", v."fromStore", v."openedAt", v."tappedAt",
        v."manifestAt", v."begunAt", v."completeAt", v."iconsAt"
      FROM ${given} JOIN "InstallVisit" v ON v."releaseId" = g."releaseId" AND v."visitorId" = g."visitorId"
      ORDER BY v."releaseId", v."visitorId" FOR UPDATE OF v`,
  );
}

function toRow(row: VisitRow, state: VisitState, at: Date): object {
  const { day, device, codes, reached, package: file, ranges, fromStore } = state;
  const { os, osVersion, model, isExact = false } = device;
  return {
    releaseId: row.releaseId,
    visitorId: row.visitorId,
    day,
    os,
    osVersion,
    model,
    isExact,
    codes,
    fileId: file?.fileId ?? null,
    fileSize: file?.size ?? null,
    ranges,
    fromStore,
    lastAt: at,
    ...Object.fromEntries(INSTALL_STEPS.map((step) => [COLUMNS[step], reached[step] ?? null])),
  };
}

async function storeVisits(run: Run, rows: readonly object[]): Promise<void> {
  await run(
    sql`
      UPDATE "InstallVisit" v SET "day" = n."day", "os" = n."os", "osVersion" = n."osVersion", "model" = n."model",
        "isExact" = n."isExact", "codes" = ARRAY(SELECT json_array_elements_text(n."codes")), "fileId" = n."fileId",
        "fileSize" = n."fileSize", "ranges" = n."ranges", "fromStore" = n."fromStore",
        "openedAt" = n."openedAt", "tappedAt" = n."tappedAt", "manifestAt" = n."manifestAt", "begunAt" = n."begunAt",
        "completeAt" = n."completeAt", "iconsAt" = n."iconsAt", "lastAt" = n."lastAt"
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n("releaseId" uuid, "visitorId" uuid, "day" date, "os" "DeviceKind",
        "osVersion" text, "model" text, "isExact" boolean, "codes" json, "fileId" uuid, "fileSize" bigint, "ranges" jsonb,
        "fromStore" boolean, "openedAt" timestamptz, "tappedAt" timestamptz, "manifestAt" timestamptz, "begunAt" timestamptz,
        "completeAt" timestamptz, "iconsAt" timestamptz, "lastAt" timestamptz)
      WHERE v."releaseId" = n."releaseId" AND v."visitorId" = n."visitorId"`,
  );
}

async function addCounts(run: Run, changes: Changes): Promise<void> {
  const { counts, stops } = changes;
  if (counts.length > 0) {
    await run(
      sql`
        INSERT INTO "InstallCount" AS c ("environmentId", "releaseId", "day", "os", "system", "device", "opened", "tapped", "manifest",
          "begun", "complete", "icons", "unseen")
        SELECT n.* FROM json_to_recordset(${JSON.stringify(counts)}::json) AS n("environmentId" uuid, "releaseId" uuid, "day" date,
          "os" "DeviceKind", "system" text, "device" text, "opened" bigint, "tapped" bigint, "manifest" bigint, "begun" bigint,
          "complete" bigint, "icons" bigint, "unseen" bigint)
        ON CONFLICT ("environmentId", "releaseId", "day", "os", "system", "device") DO UPDATE SET
          "opened" = c."opened" + EXCLUDED."opened", "tapped" = c."tapped" + EXCLUDED."tapped",
          "manifest" = c."manifest" + EXCLUDED."manifest", "begun" = c."begun" + EXCLUDED."begun",
          "complete" = c."complete" + EXCLUDED."complete", "icons" = c."icons" + EXCLUDED."icons",
          "unseen" = c."unseen" + EXCLUDED."unseen"`,
    );
  }
  if (stops.length === 0) return;
  await run(
    sql`
      INSERT INTO "InstallStop" AS s ("environmentId", "releaseId", "day", "step", "codes", "count")
      SELECT n."environmentId", n."releaseId", n."day", n."step", ARRAY(SELECT json_array_elements_text(n."codes")), n."change"
      FROM json_to_recordset(${JSON.stringify(stops)}::json) AS n("environmentId" uuid, "releaseId" uuid, "day" date, "step" text,
        "codes" json, "change" bigint)
      ON CONFLICT ("environmentId", "releaseId", "day", "step", "codes") DO UPDATE SET "count" = s."count" + EXCLUDED."count"`,
  );
}

/** Ranges that a visit has until those that touch are joined. */
const MAX_APPENDED = MAX_RANGES / 4;

/** Whether nothing but more bytes of a package were sent. */
function isProgress({ steps, device, codes, fromStore, package: file }: VisitChange): boolean {
  return steps.length === 0 && !device && !codes && fromStore === undefined && file !== undefined;
}

/**
 * Adds ranges to visits of the same package by one statement: while a package is sent, this happens all the time.
 * @returns the changes that have to be written in full: those that complete a visit or find it at another file
 */
async function appendRanges(changes: readonly VisitChange[]): Promise<VisitChange[]> {
  if (changes.length === 0) return [];
  const given = changes.map(({ releaseId, visitor, package: file, ranges, at }) => {
    return { releaseId, visitorId: visitor.id, fileId: file?.fileId, ranges, lastAt: at };
  });
  const rows = await queryRows<Pick<VisitRow, "releaseId" | "visitorId" | "ranges"> & { size: number; done: boolean }>(
    db,
    sql`
      UPDATE "InstallVisit" v SET "lastAt" = n."lastAt",
        "ranges" = CASE WHEN v."completeAt" IS NULL THEN v."ranges" || n."ranges" ELSE v."ranges" END
      FROM json_to_recordset(${JSON.stringify(given)}::json) AS n("releaseId" uuid, "visitorId" uuid, "fileId" uuid, "ranges" jsonb,
        "lastAt" timestamptz)
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

/**
 * Writes what happened in visits, with the counts of their releases and environments.
 * @param changes one for each visit
 */
export async function writeVisits(changes: readonly VisitChange[]): Promise<void> {
  const { progress = [], other = [] } = Object.groupBy(changes, (one) => (isProgress(one) ? "progress" : "other"));
  const ordered = [...other, ...(await appendRanges(progress))].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  for (let start = 0; start < ordered.length; start += BATCH) {
    const batch = ordered.slice(start, start + BATCH);
    const byKey = new Map(batch.map((change) => [orderOf(change), change]));
    await inPlainTransaction(async (run) => {
      const counted = new Changes();
      const rows = (await lockVisits(run, batch)).flatMap((row) => {
        const change = byKey.get(keyOf(row));
        if (!change) return [];
        const before = toState(row);
        const after = afterChange(before, change);
        if (before) counted.add(row, before, -1);
        counted.add(row, after, 1);
        return [toRow(row, after, change.at)];
      });
      if (rows.length === 0) return;
      await storeVisits(run, rows);
      await addCounts(run, counted);
    });
  }
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
