import "server-only";
import type { Db } from "@/lib/db/client";
import type { Status } from "@/lib/db/generated/client";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { newId } from "@/lib/kernel/ids";
import type { EntryKind } from "../schema";
import { currentVersion } from "./changes";
import { type CertificateDetails, type EntryChange, type EntryState, NEWEST_FIRST, TABLES } from "./entries";
import { quoted } from "./rows";

/** An entry as a version has it. */
interface HistoryState {
  name: string;
  status: Status;
  /** Of a development variable. */
  value: string | null;
  secretId: string | null;
  details: CertificateDetails | null;
}

/** An entry that differs between two versions; null where a version does not have it. */
interface Difference {
  kind: EntryKind;
  key: string;
  from: HistoryState | null;
  to: HistoryState | null;
}

/** The columns of the history that are an entry's state. */
const STATE: Record<keyof HistoryState, true> = {
  name: true,
  status: true,
  value: true,
  secretId: true,
  details: true,
};

/** A side of a row of `readDifferences` as JSON, null where the entry is not there. */
function stateJson(side: string): string {
  const fields = Object.keys(STATE).map((name) => {
    const column = `"${side}_${name}"`;
    return `'${name}', ${name === "value" ? `CASE WHEN "fits" THEN ${column} END` : column}`;
  });
  return `CASE WHEN "${side}_status" IS NOT NULL THEN json_build_object(${fields.join(", ")}) END`;
}

/** The last state of an entry `t` up to a version, as a relation; empty where the entry did not exist then. */
export function stateAt(environmentId: string, version: number): Sql {
  return sql`(
    SELECT l.* FROM (
      SELECT ${raw(Object.keys(STATE).map(quoted).join(", "))} FROM "ConfigurationChange" c
      WHERE c."environmentId" = ${environmentId}::uuid AND c."kind" = t."kind" AND c."key" = t."key"
        AND c."version" <= ${version}::int
      ORDER BY ${NEWEST_FIRST} LIMIT 1
    ) l WHERE l."status" IS NOT NULL)`;
}

/** Entries of an environment: those of some kinds, or only those of one key. */
interface Selection {
  environmentId: string;
  kinds: readonly EntryKind[];
  key?: string;
}

/**
 * All entries that an environment ever had, as a query for "kind" and "key". It takes one step in the index of the history
 * for each entry, so its cost does not depend on the number of versions. The planner cannot know how many there are: what
 * belongs to an entry is looked up by a lateral query with LIMIT, which it does not turn into reading a whole table.
 */
export function everyEntry(environmentId: string, kinds: readonly EntryKind[]): Sql {
  const nextKey = (after: Sql) => sql`(
    SELECT c."key" FROM "ConfigurationChange" c
    WHERE c."environmentId" = ${environmentId}::uuid AND c."kind" = e."kind" ${after} ORDER BY c."key" LIMIT 1)`;
  return sql`
    WITH RECURSIVE entry AS (
      SELECT e."kind", ${nextKey(empty)} AS "key" FROM unnest(${[...kinds]}::text[]) AS e("kind")
      UNION ALL
      SELECT e."kind", ${nextKey(sql`AND c."key" > e."key"`)} FROM entry e WHERE e."key" IS NOT NULL
    ) SELECT "kind", "key" FROM entry WHERE "key" IS NOT NULL`;
}

/**
 * A range of at most this many versions is read version by version, in some milliseconds. A longer one is read entry by entry,
 * which takes longer for a short range if there are thousands of entries.
 */
const MAX_SCANNED_VERSIONS = 10_000;

/** The selected entries that were changed after a version, up to another, as a query for "kind" and "key". */
function entriesChanged({ environmentId, kinds, key }: Selection, after: number, upTo: number): Sql {
  const inRange = sql`c."environmentId" = ${environmentId}::uuid AND c."version" > ${after} AND c."version" <= ${upTo}`;
  if (key === undefined && upTo - after <= MAX_SCANNED_VERSIONS) {
    return sql`SELECT DISTINCT c."kind", c."key" FROM "ConfigurationChange" c
      WHERE ${inRange} AND c."kind" = ANY(${[...kinds]}::text[])`;
  }
  const entries =
    key === undefined
      ? everyEntry(environmentId, kinds)
      : sql`SELECT "kind", ${key}::text AS "key" FROM unnest(${[...kinds]}::text[]) AS k("kind")`;
  return sql`SELECT e."kind", e."key" FROM (${entries}) e CROSS JOIN LATERAL (
    SELECT 1 FROM "ConfigurationChange" c
    WHERE ${inRange} AND c."kind" = e."kind" AND c."key" = e."key" ORDER BY ${NEWEST_FIRST} LIMIT 1
  ) changed`;
}

/**
 * The entries that differ between two versions, by kind and key. A secret that was written again differs, even if it is the
 * same: who compares versions must not learn whether a guess is right.
 * @param range.maxValueBytes values of development variables are left out (as null) where they exceed this together
 */
export async function readDifferences(
  db: Db,
  range: Selection & { from: number; to: number; maxValueBytes?: number },
): Promise<{ differences: Difference[]; valuesOmitted: boolean }> {
  const { from, to, maxValueBytes = Number.MAX_SAFE_INTEGER, ...selection } = range;
  const { environmentId } = selection;
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const columns = Object.keys(STATE);
  const states = ["from", "to"].flatMap((side) => columns.map((name) => `"${side}"."${name}" AS "${side}_${name}"`));
  const sizes = ["from", "to"].map((side) => `coalesce(octet_length("${side}_value"), 0)`);
  const rows = await queryRows<Difference & { fits: boolean }>(
    db,
    sql`
      WITH states AS (
        SELECT t."kind", t."key", ${raw(states.join(", "))}
        FROM (${entriesChanged(selection, first, last)}) t LEFT JOIN LATERAL ${stateAt(environmentId, from)} AS "from" ON true
          LEFT JOIN LATERAL ${stateAt(environmentId, to)} AS "to" ON true
        WHERE "from" IS DISTINCT FROM "to"
      ), sized AS (
        SELECT states.*, sum(${raw(sizes.join(" + "))}) OVER () <= ${maxValueBytes}::bigint AS "fits" FROM states
      )
      SELECT "kind", "key", ${raw(stateJson("from"))} AS "from", ${raw(stateJson("to"))} AS "to", "fits"
      FROM sized ORDER BY "kind" COLLATE "C", "key" COLLATE "C"`,
  );
  return { differences: rows, valuesOmitted: rows.some(({ fits }) => !fits) };
}

/** The ids and names of current entries by their keys. */
async function entriesByKey(
  db: Db,
  environmentId: string,
  kind: EntryKind,
  keys: readonly string[],
): Promise<Map<string, { id: string; key: string; name: string }>> {
  const rows = await queryRows<{ id: string; key: string; name: string }>(
    db,
    sql`
      SELECT "id", "key", "name" FROM ${raw(quoted(TABLES[kind].table))}
      WHERE "environmentId" = ${environmentId}::uuid AND "key" = ANY(${[...keys]}::text[])`,
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * The changes that lead from the current configuration to that of a version. Call it from the plan of
 * `withConfigurationChange`.
 */
export async function planRestore(tx: Db, restore: Selection & { version: number }): Promise<EntryChange[]> {
  const { version, ...selection } = restore;
  const { environmentId } = selection;
  const from = await currentVersion(tx, environmentId);
  const { differences } = await readDifferences(tx, { ...selection, from, to: version });
  const changes: EntryChange[] = [];
  for (const [kind, ofKind] of Map.groupBy(differences, ({ kind }) => kind)) {
    const rows = await entriesByKey(
      tx,
      environmentId,
      kind,
      ofKind.map(({ key }) => key),
    );
    for (const { key, from: now, to: then } of ofKind) {
      const row = rows.get(key) ?? null;
      changes.push({ kind, id: row?.id ?? newId(), before: row, after: then && restoredState(key, now, then) });
    }
  }
  return changes;
}

function restoredState(key: string, now: HistoryState | null, then: HistoryState): EntryState {
  const { name, status, value, secretId, details } = then;
  return {
    key,
    name,
    status,
    ...(value !== null && { value }),
    ...(secretId !== null && { secret: secretId === now?.secretId ? ("unchanged" as const) : { secretId } }),
    ...(details && { details }),
  };
}

/** The kinds of which some selected entry was changed after a version. */
export async function kindsChangedSince(db: Db, since: Selection & { version: number }): Promise<EntryKind[]> {
  const { version, ...selection } = since;
  const latest = await currentVersion(db, selection.environmentId);
  const ofKinds = selection.kinds.map((kind) => {
    const changed = entriesChanged({ ...selection, kinds: [kind] }, version, latest);
    return sql`SELECT ${kind}::text AS "kind" WHERE EXISTS (${changed})`;
  });
  const rows = await queryRows<{ kind: EntryKind }>(db, join(ofKinds, " UNION ALL "));
  return rows.map(({ kind }) => kind);
}
