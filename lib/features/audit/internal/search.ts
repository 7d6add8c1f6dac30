import { NIL as EVERYBODY } from "uuid";
import { likeText } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { searchWords } from "@/lib/kernel/search-words";
import {
  all,
  type Filters,
  isSearchedTable,
  kinds,
  MENTION,
  maintainedCounts,
  narrowings,
  type Position,
  period,
} from "./filters";

/** A search that finds more people, objects and places looks at the first records of the list before it looks up those of these. */
export const MAX_SUBJECTS = 2_000;

/** What a search found among the names that audited people, objects and places have had. */
export interface Found {
  /** Their IDs; some of them if there are more than `MAX_SUBJECTS`. */
  subjects: readonly string[];
  isComplete: boolean;
  /** A lower bound of the records that contain a name that was found: the first record with each name. */
  knownRecords: number;
}

/** Whether the name `n` contains a word, without regard to case and accents. */
const hasWord = (word: string): Sql => sql`n."searchText" LIKE search_text(${`%${likeText(word)}%`})`;

/** Whether the name `n` contains each word of a search. */
function hasWords(search: string): Sql {
  // One condition for each word: an index of trigrams does not look up arrays.
  return all(searchWords(search).map(hasWord));
}

/** Three characters in a row of which trigrams are made. */
const TRIGRAM = /[\p{L}\p{N}]{3}/u;

/**
 * Returns the word that PostgreSQL expects in the fewest names; null if these are many. A search for all words takes as
 * long as reading all names with the most frequent word, such as the platform of releases.
 */
async function rarestWord(db: Db, words: readonly string[]): Promise<string | null> {
  const candidates = words.length < 2 ? [] : words.filter((word) => TRIGRAM.test(word));
  const expected = await Promise.all(
    candidates.map(async (word) => {
      const [plan] = await queryRows<{ "QUERY PLAN": { Plan: { "Plan Rows": number } }[] }>(
        db,
        sql`EXPLAIN (FORMAT JSON) SELECT 1 FROM "AuditName" n WHERE ${hasWord(word)}`,
      );
      return { word, names: plan?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? Number.POSITIVE_INFINITY };
    }),
  );
  const [rarest] = expected.toSorted((a, b) => a.names - b.names);
  return rarest && rarest.names <= MAX_SUBJECTS ? rarest.word : null;
}

/** Finds what a search means; null without a search. */
export async function findSubjects(db: Db, { search }: Filters): Promise<Found | null> {
  if (!search) return null;
  const rarest = await rarestWord(db, searchWords(search));
  // With OFFSET 0, the other words are compared with what the index finds.
  const names =
    rarest === null ? sql`"AuditName"` : sql`(SELECT * FROM "AuditName" n WHERE ${hasWord(rarest)} OFFSET 0)`;
  const rows = await queryRows<{ subjectId: string; recordId: number }>(
    db,
    sql`SELECT n."subjectId", n."recordId"::float8 AS "recordId" FROM ${names} n WHERE ${hasWords(search)} LIMIT ${MAX_SUBJECTS + 1}`,
  );
  const subjects = [...new Set(rows.slice(0, MAX_SUBJECTS).map(({ subjectId }) => subjectId))];
  // 0 stands for a record that is not known.
  const knownRecords = new Set(rows.map(({ recordId }) => recordId).filter((recordId) => recordId > 0)).size;
  return { subjects, isComplete: rows.length <= MAX_SUBJECTS, knownRecords };
}

/** That a search finds the record `r`: by its table, or by a name of who acted, of the object or of the place. */
export function isFound(input: Filters, { subjects, isComplete }: Found): Sql {
  const ids = [...subjects];
  const conditions = isComplete
    ? [
        sql`r."userId" = ANY(${ids}::uuid[])`,
        sql`r."recordId" = ANY(${ids}::text[])`,
        sql`EXISTS (SELECT 1 FROM "AuditMention" m WHERE m."recordId" = r."id" AND m."subjectId" = ANY(${ids}::uuid[]))`,
      ]
    : [
        sql`EXISTS (SELECT 1 FROM "AuditName" n
          WHERE n."subjectId" IN (r."userId", audit_subject(r."recordId")) AND ${hasWords(input.search as string)})`,
        sql`EXISTS (SELECT 1 FROM "AuditMention" m JOIN "AuditName" n ON n."subjectId" = m."subjectId"
          WHERE m."recordId" = r."id" AND ${hasWords(input.search as string)})`,
      ];
  return sql`(${join([isSearchedTable(input), ...conditions], " OR ")})`;
}

/** The objects, people and places that a search looks up: those that it found, or all that have such a name. */
export type Subjects = readonly string[] | "all";

/**
 * The first records that a search finds, by each way that leads to them: by the tables, the people, the objects, and the
 * places and API tokens. Each is read in the order of an index, so the cost depends on how many of these there are, and not
 * on the length of the log. A record may be found several times.
 * @returns the ID and the time of the records, as `id` and `eventDate`
 */
export function foundRows(input: Filters, subjects: Subjects, { order, beyond }: Position, limit: number): Sql {
  const ids = subjects === "all" ? null : [...subjects];
  const subject = (type: "uuid" | "text") =>
    ids === null
      ? sql`(SELECT named."id"::${raw(type)} AS "id" FROM named) subject`
      : sql`unnest(${ids}::${raw(type)}[]) subject ("id")`;
  const wanted = [...kinds(input), ...narrowings(input), ...beyond()];
  const inOrder = sql`ORDER BY ${order()} LIMIT ${limit}`;
  const ofKind = sql`r."table" = kept."table" AND r."action" = kept."action"`;
  const byTable = sql`
    SELECT r.* FROM (${maintainedCounts(input, [isSearchedTable(input)])}) kept CROSS JOIN LATERAL (
      SELECT r."id", r."eventDate" FROM "AuditRecord" r WHERE ${all([ofKind, ...wanted])} ${inOrder}
    ) r`;
  // As the result of a query, the IDs are not compared with the statistics of the table while the statement is planned: for 2,000, that takes
  // longer than reading what they find.
  const isSubject =
    ids === null
      ? sql`r."userId" IN (SELECT named."id" FROM named)`
      : sql`r."userId" = ANY((SELECT ${ids}::uuid[])::uuid[])`;
  const byUser = sql`
    SELECT r.* FROM (
      SELECT r."userId", r."table", r."action" FROM "AuditCount" r
      WHERE ${all([isSubject, sql`r."userId" <> ${EVERYBODY}::uuid`, ...kinds(input)])}
    ) kept CROSS JOIN LATERAL (
      SELECT r."id", r."eventDate" FROM "AuditRecord" r
      WHERE ${all([sql`r."userId" = kept."userId"`, ofKind, ...wanted])} ${inOrder}
    ) r`;
  const byObject = sql`
    SELECT r.* FROM ${subject("text")} CROSS JOIN LATERAL (
      SELECT r."id", r."eventDate" FROM "AuditRecord" r
      WHERE ${all([sql`r."recordId" = subject."id"`, ...wanted])} ${inOrder}
    ) r`;
  const ofRecord = narrowings({ ...input, from: undefined, to: undefined });
  const mentioned = [sql`m."subjectId" = place."id"`, ...beyond(MENTION), ...period(input, sql`m."eventDate"`)];
  // Without other filters, the index of mentions has all that is read. With OFFSET 0, records are looked up one by one.
  const record = sql`CROSS JOIN LATERAL (
    SELECT 1 FROM "AuditRecord" r WHERE ${all([sql`r."id" = m."recordId"`, ...ofRecord])} OFFSET 0) r`;
  // Each kind of record is read by itself, of those among the many subjects that are places or API tokens. These are found once.
  const byKind = kinds(input).length > 0;
  const places = byKind
    ? sql`WITH mentioned AS MATERIALIZED (
          SELECT subject."id" FROM ${subject("uuid")}
            CROSS JOIN LATERAL (SELECT 1 FROM "AuditMention" m WHERE m."subjectId" = subject."id" LIMIT 1) mention
        ) SELECT mentioned."id", kept."table", kept."action" FROM mentioned CROSS JOIN (${maintainedCounts(input)}) kept`
    : sql`SELECT subject."id" FROM ${subject("uuid")}`;
  const mentionsOfKind = byKind ? [sql`m."table" = place."table"`, sql`m."action" = place."action"`] : [];
  const byPlace = sql`
    SELECT r.* FROM (${places}) place CROSS JOIN LATERAL (
      SELECT m."recordId" AS "id", m."eventDate" FROM "AuditMention" m ${ofRecord.length > 0 ? record : empty}
      WHERE ${all([...mentioned, ...mentionsOfKind])} ORDER BY ${order(MENTION)} LIMIT ${limit}
    ) r`;
  const rows = join([byTable, byUser, byObject, byPlace], " UNION ALL ");
  return ids === null ? sql`${allNamed(input)} ${rows}` : rows;
}

/** Everything that has a name with the words of a search, as `named`. */
const allNamed = ({ search }: Filters): Sql => sql`
  WITH named AS MATERIALIZED (SELECT DISTINCT n."subjectId" AS "id" FROM "AuditName" n WHERE ${hasWords(search as string)})`;

/** In how many ways a search finds a record at most: by its table, its user, its object, its application and environment. */
export const MAX_WAYS = 5;

/** A search for a name that very many have looks at so many records of the list in order before it looks up those of each name. */
export const MAX_SCANNED = 2_000;

/**
 * The first records of a list without its search, no more than are looked at. Those of each table and action are read from an index as far as
 * they are needed, so that a rare one takes no longer than a frequent one.
 */
export async function scannedRows(db: Db, input: Filters, { order, beyond }: Position): Promise<Sql> {
  const columns = sql`r."id", r."eventDate", r."table", r."userId", r."recordId"`;
  const wanted = [...narrowings(input), ...beyond()];
  const first = sql`ORDER BY ${order()} LIMIT ${MAX_SCANNED}`;
  if (kinds(input).length === 0 || input.recordId !== undefined) {
    return sql`SELECT ${columns} FROM "AuditRecord" r WHERE ${all([...kinds(input), ...wanted])} ${first}`;
  }
  const kept = await queryRows<{ table: string; action: string }>(db, maintainedCounts(input));
  if (kept.length === 0) return sql`SELECT ${columns} FROM "AuditRecord" r WHERE false`;
  // With a limit of its own, each kind is read in the order of its index, which is what merges them as far as they are needed.
  const ofKinds = kept.map(
    ({ table, action }) => sql`
      (SELECT ${columns} FROM "AuditRecord" r
      WHERE ${all([sql`r."table" = ${table}`, sql`r."action" = ${action}`, ...wanted])} ${first})`,
  );
  return sql`SELECT ${columns} FROM (${join(ofKinds, " UNION ALL ")}) r ${first}`;
}
