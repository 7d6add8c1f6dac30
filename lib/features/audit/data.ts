import "server-only";
import { NIL as EVERYBODY, validate } from "uuid";
import type { z } from "zod";
import { cappedCount, cursorAfter, type ListTotal, SEARCH_COUNT_CAP, toPage } from "@/lib/api/list";
import { firstWrongRecord } from "@/lib/audit/chain";
import { NAMES_FIELD, nameInChanges, namesIn, withoutNames } from "@/lib/audit/names";
import { OBJECTS } from "@/lib/audit/objects";
import { readChainState } from "@/lib/audit/verification-state";
import type { Changes } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import { join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import type { Locale } from "@/lib/kernel/i18n/locales";
import {
  all,
  type Filters,
  isSearchedTable,
  kinds,
  maintainedCounts,
  narrowings,
  type Position,
  position,
} from "./internal/filters";
import { type Found, findSubjects, foundRows, isFound, MAX_SCANNED, MAX_WAYS, scannedRows } from "./internal/search";
import { providerName, sentenceOf } from "./internal/sentence";
import type { AuditChain, AuditLog, AuditRecord, auditLogKindsSchema } from "./schema";

/** A record's row in a list. */
interface AuditRow extends Omit<AuditRecord, "eventDate" | "sentence" | "actorName" | "recordName" | "place"> {
  eventDate: Date;
  ip: string | null;
  /** Of a record that contains no names: what is known of the object, the token and the place now. */
  knownRecord: string | null;
  knownToken: string | null;
  knownApp: string | null;
  knownEnvironment: string | null;
}

/** A record's row as the API shows it. */
export function toAuditRecord(row: AuditRow, locale: Locale): AuditRecord {
  const { ip, knownRecord, knownToken, knownApp, knownEnvironment, eventDate, changes: stored, ...record } = row;
  const names = namesIn(stored as Changes);
  const changes = withoutNames(stored as Changes);
  const inChanges = nameInChanges(row.table, changes);
  const described = row.table === "Release" ? (knownRecord ?? inChanges) : (inChanges ?? knownRecord);
  const app = names.app ?? knownApp;
  const shown = {
    ...record,
    changes,
    eventDate: eventDate.toISOString(),
    actorName: names.actor ?? (row.userName?.trim() || row.userEmail) ?? row.tokenName ?? knownToken,
    recordName: names.record ?? described ?? providerName(row, locale),
    place: app === null ? null : { app, environment: names.environment ?? knownEnvironment },
  };
  const isOfPlace = row.recordId !== null && row.recordId === (names.environmentId ?? null);
  return { ...shown, sentence: sentenceOf({ ...shown, ip, isOfPlace }, locale) };
}

/**
 * The first records of a list: the first of each table and action in index order, and of these the first. The cost does
 * not depend on how frequent a kind of record is or how long the log is. The records of one object are few, and the
 * unfiltered log is in index order.
 * @param rows.columns of `r`
 * @param rows.position of the page, in whose order they are
 */
function firstRows(input: Filters, rows: { columns: Sql; position: Position; limit: number }): Sql {
  const { columns, limit } = rows;
  const order = sql`ORDER BY ${rows.position.order()}`;
  const wanted = [...narrowings(input), ...rows.position.beyond()];
  const byTable = input.search ? [isSearchedTable(input)] : [];
  const byKind =
    input.recordId === undefined && (kinds(input).length + byTable.length > 0 || input.userId !== undefined);
  if (!byKind) {
    const conditions = all([...kinds(input), ...byTable, ...wanted]);
    return sql`SELECT ${columns} FROM "AuditRecord" r WHERE ${conditions} ${order} LIMIT ${limit}`;
  }
  const ofKind = [sql`r."table" = kept."table"`, sql`r."action" = kept."action"`, ...wanted];
  return sql`
    SELECT r.* FROM (${maintainedCounts(input, byTable)}) kept CROSS JOIN LATERAL (
      SELECT ${columns} FROM "AuditRecord" r WHERE ${all(ofKind)} ${order} LIMIT ${limit}
    ) r ${order} LIMIT ${limit}`;
}

/** The records of a page, as `id` and `eventDate`, and one more. */
function pageRows(input: Filters, found: Found | null): Sql {
  const at = position(input);
  const limit = input.limit + 1;
  const columns = sql`r."id", r."eventDate"`;
  if (found === null || (found.isComplete && found.subjects.length === 0)) {
    return firstRows(input, { columns, position: at, limit });
  }
  const rows = foundRows(input, found.isComplete ? found.subjects : "all", at, limit);
  return sql`SELECT DISTINCT ${columns} FROM (${rows}) r ORDER BY ${at.order()} LIMIT ${limit}`;
}

/**
 * The records of a page, with their columns, and one more. A search for a name that very many have finds a page among the first
 * records of the list, or has to look up the records of all these names.
 */
async function readPage(db: Db, input: Filters, found: Found | null): Promise<AuditRow[]> {
  const at = position(input);
  const read = (page: Sql) =>
    queryRows<AuditRow>(
      db,
      sql`
      SELECT ${SHOWN} FROM (${page}) page JOIN "AuditRecord" r ON r."id" = page."id" ${NAMES}
      ORDER BY ${at.order()}`,
    );
  if (found === null || found.isComplete) return read(pageRows(input, found));
  const scanned = await scannedRows(db, input, at);
  const rows = await read(
    sql`SELECT r."id", r."eventDate" FROM (${scanned}) r WHERE ${isFound(input, found)}
      ORDER BY ${at.order()} LIMIT ${input.limit + 1}`,
  );
  if (rows.length > input.limit) return rows;
  const { records } = await countRecords(db, scanned);
  return records < MAX_SCANNED ? rows : read(pageRows(input, found));
}

/** A search with other filters is counted up to this many records, because each mention of a place has to be looked up. */
const NARROWED_SEARCH_COUNT_CAP = 100;

/** How many rows there are, and how many records. */
async function countRecords(db: Db, rows: Sql): Promise<{ rows: number; records: number }> {
  const [counted] = await queryRows<{ rows: number; records: number }>(
    db,
    sql`SELECT count(*)::int AS "rows", count(DISTINCT counted."id")::int AS "records" FROM (${rows}) counted`,
  );
  return counted ?? { rows: 0, records: 0 };
}

/** The number of records that a search finds, at most `take`. They are read without an order, and no more than are counted. */
async function countFound(db: Db, input: Filters, { found, take }: { found: Found; take: number }): Promise<number> {
  const all = sql`SELECT r."id" FROM (${foundRows(input, found.subjects, position({ sort: input.sort }), take)}) r`;
  const first = await countRecords(db, sql`${all} LIMIT ${take}`);
  if (first.rows < take || first.records === take) return first.records;
  // Some were found several times.
  const { records } = await countRecords(db, sql`${all} LIMIT ${take * MAX_WAYS}`);
  return Math.min(take, records);
}

/** The number of records, counted up to a thousand if no maintained count applies. */
async function totalOf(db: Db, input: Filters, found: Found | null): Promise<ListTotal> {
  if (found && found.subjects.length > 0) {
    const isNarrowed = kinds(input).length > 0 || input.userId !== undefined || input.recordId !== undefined;
    const cap = isNarrowed ? NARROWED_SEARCH_COUNT_CAP : SEARCH_COUNT_CAP;
    // Without other filters, all records with the names count, and need not be read.
    if (!isNarrowed && !input.from && !input.to && found.knownRecords > cap)
      return { total: cap, totalIsAtLeast: true };
    const counted = await cappedCount(cap, (take) => countFound(db, input, { found, take }));
    return found.isComplete ? counted : { ...counted, totalIsAtLeast: true };
  }
  if (input.recordId !== undefined || input.from || input.to) {
    const at = position({ sort: input.sort });
    return cappedCount(SEARCH_COUNT_CAP, async (take) => {
      const rows = firstRows(input, { columns: sql`r."id", r."eventDate"`, position: at, limit: take });
      return (await countRecords(db, rows)).records;
    });
  }
  const conditions = input.search ? [isSearchedTable(input)] : [];
  const [row] = await queryRows<{ total: number }>(
    db,
    sql`SELECT coalesce(sum("count"), 0)::float8 AS "total" FROM (${maintainedCounts(input, conditions)}) kept`,
  );
  return { total: row?.total ?? 0 };
}

/** The last name that is known of an object. */
const nameOf = (id: Sql) =>
  sql`(SELECT n."name" FROM "AuditName" n WHERE n."subjectId" = ${id} ORDER BY n."recordId" DESC LIMIT 1)`;

/** The name of the application or environment that a record belongs to. */
const placeOf = (table: Sql) =>
  sql`(SELECT o."name" FROM "AuditMention" m JOIN ${table} o ON o."id" = m."subjectId" WHERE m."recordId" = r."id" LIMIT 1)`;

/** What is known of a record that contains no names; it is not read of other records. */
const ifUnnamed = (value: Sql) => sql`CASE WHEN NOT jsonb_exists(r."changes", ${NAMES_FIELD}) THEN ${value} END`;

/** The columns of a record in a list. */
const SHOWN = sql`r."id"::float8 AS "id", r."userId", r."tokenId", r."table", r."recordId", r."action", r."eventDate",
  r."changes", r."ip", u."firstNames" || ' ' || u."lastNames" AS "userName", u."email" AS "userEmail",
  t."name" AS "tokenName", ${ifUnnamed(nameOf(sql`audit_subject(r."recordId")`))} AS "knownRecord",
  ${ifUnnamed(nameOf(sql`r."tokenId"`))} AS "knownToken", ${ifUnnamed(placeOf(sql`"App"`))} AS "knownApp",
  ${ifUnnamed(placeOf(sql`"Environment"`))} AS "knownEnvironment"`;

/** The callers of the records, which may not exist any more. */
const NAMES = sql`LEFT JOIN "User" u ON u."id" = r."userId" LEFT JOIN "ApiToken" t ON t."id" = r."tokenId"`;

/** One page of the audit log. */
export async function listAuditRecords(db: Db, input: Filters) {
  const found = await findSubjects(db, input);
  const [rows, total] = await Promise.all([readPage(db, input, found), totalOf(db, input, found)]);
  return { ...toPage(rows, input), ...total };
}

/** Records per query. */
const BATCH = 2_000;

const CSV_HEADER = "id,userId,userEmail,table,recordId,action,eventDate,changes\r\n";

/**
 * A string as a cell (RFC 4180). Spreadsheets read a cell that starts with one of these characters as a formula, so it
 * gets a leading apostrophe.
 */
function csvText(column: string): Sql {
  const value = raw(`coalesce(r."${column}", '')`);
  return sql`CASE WHEN left(${value}, 1) IN ('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠')
    THEN '"''' ELSE '"' END || replace(${value}, '"', '""') || '"'`;
}

/**
 * JSON as a cell. It starts with a brace, so it is no formula. Its semicolons are escaped as `\u003b`, because some
 * spreadsheets use them as separators.
 */
function csvJson(value: Sql): Sql {
  return sql`'"' || replace(replace((${value})::text, '"', '""'), ';', '\\u003b') || '"'`;
}

const CSV_CELLS = [
  sql`r."id"`,
  sql`coalesce(r."userId"::text, '')`,
  ...["userEmail", "table", "recordId", "action"].map((column) => sql`(${csvText(column)})`),
  sql`to_char(r."eventDate" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  csvJson(sql`r."changes" - ${NAMES_FIELD}`),
];

interface CsvBatch {
  lines: string | null;
  count: number;
  lastDate: Date;
  lastId: number;
}

/** A filter that leaves few records of a large log has the database read much of it for a batch. */
const CSV_BATCH_TIMEOUT_MS = 600_000;

/**
 * The records of a list as CSV, a few thousand at a time: no more of them are in memory, and no connection is held while
 * the client reads slowly. Records added after the start are not included. The database formats the lines, which is
 * faster than formatting them here.
 */
export async function* auditCsv(db: Db, input: Filters): AsyncGenerator<Buffer> {
  yield Buffer.from(CSV_HEADER);
  const { sort } = input;
  const found = await findSubjects(db, input);
  const searched = found ? [isFound(input, found)] : [];
  for (let cursor: string | undefined; ; ) {
    const { order, beyond } = position({ sort, cursor });
    // The planner chooses the index: the per-kind reading of pages pays off only for few rows.
    const [batch] = await queryRows<CsvBatch>(
      db,
      sql`
        SELECT string_agg(line, '') AS "lines", count(*)::int AS "count",
          (array_agg("eventDate"))[count(*)] AS "lastDate", (array_agg("id"))[count(*)]::float8 AS "lastId"
        FROM (
          SELECT r."id", r."eventDate", ${join(CSV_CELLS, " || ',' || ")} || ${"\r\n"} AS line
          FROM (
            SELECT r.*, (SELECT u."email" FROM "User" u WHERE u."id" = r."userId") AS "userEmail" FROM "AuditRecord" r
            WHERE ${all([...kinds(input), ...narrowings(input), ...searched, ...beyond()])} ORDER BY ${order()} LIMIT ${BATCH}
          ) r
          ORDER BY ${order()}
        ) written`,
      { timeoutMs: CSV_BATCH_TIMEOUT_MS },
    );
    if (!batch || batch.lines === null) return;
    yield Buffer.from(batch.lines);
    if (batch.count < BATCH) return;
    cursor = cursorAfter(sort, { id: batch.lastId, eventDate: batch.lastDate });
  }
}

/** A record with everything that its hash covers, but without the changed object. */
type AuditLogRow = AuditRow & Pick<AuditLog, "requestId" | "previousHash" | "hash">;

export async function findAuditRecord(db: Db, id: number): Promise<AuditLogRow | null> {
  const [row] = await queryRows<AuditLogRow>(
    db,
    sql`
      SELECT ${SHOWN}, r."requestId", r."previousHash", r."hash"
      FROM "AuditRecord" r ${NAMES} WHERE r."id" = ${id}::bigint`,
  );
  return row ?? null;
}

/** The tables and actions of all records. */
export async function listAuditKinds(db: Db): Promise<z.output<typeof auditLogKindsSchema>> {
  const kinds = await queryRows<{ table: string; action: string }>(
    db,
    sql`SELECT DISTINCT "table", "action" FROM "AuditCount" WHERE "userId" = ${EVERYBODY}::uuid`,
  );
  const sorted = (names: string[]) => [...new Set(names)].sort();
  return { tables: sorted(kinds.map(({ table }) => table)), actions: sorted(kinds.map(({ action }) => action)) };
}

/** A changed object: its name and the place that it belongs to. */
type ChangedObject = NonNullable<AuditLog["record"]>;

/** The object that a record is about; null if it does not exist any more, or is of a kind that has no name. */
export async function findChangedObject(
  db: Db,
  { table, recordId }: { table: string; recordId: string | null },
): Promise<ChangedObject | null> {
  const find = Object.hasOwn(OBJECTS, table) ? OBJECTS[table] : undefined;
  if (!find || !validate(recordId)) return null;
  const [found] = await queryRows<ChangedObject>(db, sql`${find(sql`${recordId}::uuid`)} LIMIT 1`);
  return found ?? null;
}

/** The state of the chain as the API shows it. */
export async function findAuditChain(db: Db, now: Date): Promise<AuditChain> {
  const { head, verified, complete, ...state } = await readChainState(db, now);
  const shown = (run: typeof verified) => run && { records: run.records, at: run.at.toISOString() };
  return {
    ...state,
    records: Number(head?.id ?? 0),
    headHash: head?.hash ?? null,
    verified: shown(verified),
    complete: shown(complete),
    firstWrongRecord: firstWrongRecord(state.faults),
  };
}
