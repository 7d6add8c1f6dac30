import "server-only";
import { NIL as EVERYBODY, validate } from "uuid";
import type { z } from "zod";
import {
  cappedCount,
  cursorAfter,
  type ListTotal,
  likeText,
  pagePosition,
  rowNumber,
  SEARCH_COUNT_CAP,
  toPage,
} from "@/lib/api/list";
import { firstWrongRecord } from "@/lib/audit/chain";
import { readChainState } from "@/lib/audit/verification-state";
import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import type { AuditChain, AuditLog, AuditRecord, auditLogKindsSchema, getAuditLogsInput } from "./schema";

type Filters = z.output<typeof getAuditLogsInput>;

/** A record's row in a list. */
type AuditRow = Omit<AuditRecord, "eventDate"> & { eventDate: Date };

/** A record's row as the API shows it. */
export function toAuditRecord(row: AuditRow): AuditRecord {
  return { ...row, eventDate: row.eventDate.toISOString() };
}

const isEqual = (column: string, value: string | undefined) =>
  value === undefined ? [] : [sql`${raw(column)} = ${value}`];

/** The table and action filters of a list, as conditions on `r`. */
function kinds({ table, action, search }: Filters): Sql[] {
  const searched = search ? [sql`r."table" ILIKE ${`%${likeText(search)}%`}`] : [];
  return [...isEqual(`r."table"`, table), ...isEqual(`r."action"`, action), ...searched];
}

/** The other filters of a list. */
function narrowings({ userId, recordId, from, to }: Filters): Sql[] {
  return [
    ...(userId ? [sql`r."userId" = ${userId}::uuid`] : []),
    ...isEqual(`r."recordId"`, recordId),
    ...(from ? [sql`r."eventDate" >= ${from}`] : []),
    ...(to ? [sql`r."eventDate" <= ${to}`] : []),
  ];
}

const all = (conditions: readonly Sql[]) => (conditions.length === 0 ? sql`true` : join([...conditions], " AND "));

/** The order of a list and the position of the page. */
function position(input: Pick<Filters, "sort" | "cursor">): { order: Sql; beyond: Sql[] } {
  const { descending, after } = pagePosition(input, ["eventDate"], rowNumber);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  return {
    order: raw(`r."eventDate" ${direction}, r."id" ${direction}`),
    beyond: after ? [sql`(r."eventDate", r."id") ${raw(sign)} (${after.value}, ${after.id}::bigint)`] : [],
  };
}

/** The maintained record counts that a list starts with: a row for each table and action, of one user or of all. */
function maintainedCounts(input: Filters): Sql {
  const { userId } = input;
  const of = userId
    ? sql`r."userId" = ${userId}::uuid AND r."userId" <> ${EVERYBODY}::uuid`
    : sql`r."userId" = ${EVERYBODY}::uuid`;
  return sql`SELECT r."table", r."action", r."count" FROM "AuditCount" r WHERE ${all([of, ...kinds(input)])}`;
}

/**
 * The first records of a list: the first of each table and action in index order, and of these the first. The cost does
 * not depend on how frequent a kind of record is or how long the log is. The records of one object are few, and the
 * unfiltered log is in index order.
 * @param rows.columns of `r`
 * @param rows.conditions on `r`, beside those of the list
 */
function firstRows(input: Filters, rows: { columns: Sql; conditions?: Sql[]; order?: Sql; limit: number }): Sql {
  const { columns, conditions = [], limit } = rows;
  const order = rows.order ? sql`ORDER BY ${rows.order}` : Prisma.empty;
  const wanted = [...narrowings(input), ...conditions];
  const byKind = input.recordId === undefined && (kinds(input).length > 0 || input.userId !== undefined);
  if (!byKind) {
    return sql`SELECT ${columns} FROM "AuditRecord" r WHERE ${all([...kinds(input), ...wanted])} ${order} LIMIT ${limit}`;
  }
  const ofKind = [sql`r."table" = kept."table"`, sql`r."action" = kept."action"`, ...wanted];
  return sql`
    SELECT r.* FROM (${maintainedCounts(input)}) kept CROSS JOIN LATERAL (
      SELECT ${columns} FROM "AuditRecord" r WHERE ${all(ofKind)} ${order} LIMIT ${limit}
    ) r ${order} LIMIT ${limit}`;
}

/** The number of records, counted up to a thousand if no maintained count applies. */
async function totalOf(db: Db, input: Filters): Promise<ListTotal> {
  if (input.recordId !== undefined || input.from || input.to) {
    return cappedCount(SEARCH_COUNT_CAP, async (take) => {
      const rows = firstRows(input, { columns: sql`1`, limit: take });
      const [row] = await queryRows<{ count: number }>(db, sql`SELECT count(*)::int AS "count" FROM (${rows}) counted`);
      return row?.count ?? 0;
    });
  }
  const [row] = await queryRows<{ total: number }>(
    db,
    sql`SELECT coalesce(sum("count"), 0)::float8 AS "total" FROM (${maintainedCounts(input)}) kept`,
  );
  return { total: row?.total ?? 0 };
}

/** The columns of a record in a list. */
const SHOWN = sql`r."id"::float8 AS "id", r."userId", r."tokenId", r."table", r."recordId", r."action", r."eventDate",
  r."changes", u."firstNames" || ' ' || u."lastNames" AS "userName", u."email" AS "userEmail", t."name" AS "tokenName"`;

/** The callers of the records, which may not exist any more. */
const NAMES = sql`LEFT JOIN "User" u ON u."id" = r."userId" LEFT JOIN "ApiToken" t ON t."id" = r."tokenId"`;

/** One page of the audit log. */
export async function listAuditRecords(db: Db, input: Filters) {
  const { order, beyond } = position(input);
  const columns = sql`r."id", r."eventDate"`;
  const page = firstRows(input, { columns, conditions: beyond, order, limit: input.limit + 1 });
  const [rows, total] = await Promise.all([
    queryRows<AuditRow>(
      db,
      sql`
      SELECT ${SHOWN} FROM (${page}) page JOIN "AuditRecord" r ON r."id" = page."id" ${NAMES} ORDER BY ${order}`,
    ),
    totalOf(db, input),
  ]);
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
function csvJson(column: string): Sql {
  return sql`'"' || replace(replace(${raw(`r."${column}"`)}::text, '"', '""'), ';', '\\u003b') || '"'`;
}

const CSV_CELLS = [
  sql`r."id"`,
  sql`coalesce(r."userId"::text, '')`,
  ...["userEmail", "table", "recordId", "action"].map((column) => sql`(${csvText(column)})`),
  sql`to_char(r."eventDate" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  csvJson("changes"),
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
            WHERE ${all([...kinds(input), ...narrowings(input), ...beyond])} ORDER BY ${order} LIMIT ${BATCH}
          ) r
          ORDER BY ${order}
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
type AuditLogRow = AuditRow & Pick<AuditLog, "requestId" | "ip" | "previousHash" | "hash">;

export async function findAuditRecord(db: Db, id: number): Promise<AuditLogRow | null> {
  const [row] = await queryRows<AuditLogRow>(
    db,
    sql`
      SELECT ${SHOWN}, r."requestId", r."ip", r."previousHash", r."hash"
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

const NO_PLACE = sql`NULL::uuid AS "appId", NULL::uuid AS "environmentId"`;
const named = (from: Sql, name: Sql) => (id: Sql) =>
  sql`SELECT ${name} AS "name", ${NO_PLACE} FROM ${from} WHERE o."id" = ${id}`;

/** An object of an environment; the reveal of all entries of an environment has the environment's ID. */
const inEnvironment = (from: Sql, name: Sql) => (id: Sql) =>
  sql`
  SELECT ${name} AS "name", e."appId", e."id" AS "environmentId"
  FROM ${from} JOIN "Environment" e ON e."id" = o."environmentId" WHERE o."id" = ${id}
  UNION ALL SELECT e."name", e."appId", e."id" FROM "Environment" e WHERE e."id" = ${id}`;

/** How the object of a record is found, by the table. */
const OBJECTS: Readonly<Record<string, (id: Sql) => Sql>> = {
  App: (id) => sql`SELECT o."name", o."id" AS "appId", NULL::uuid AS "environmentId" FROM "App" o WHERE o."id" = ${id}`,
  Environment: (id) =>
    sql`SELECT o."name", o."appId", o."id" AS "environmentId" FROM "Environment" o WHERE o."id" = ${id}`,
  Release: inEnvironment(sql`"Release" o`, sql`o."version" || ' (' || o."buildNumber" || ')'`),
  DevVariable: inEnvironment(sql`"DevVariable" o`, sql`o."key"`),
  SecureVariable: inEnvironment(sql`"SecureVariable" o`, sql`o."key"`),
  SecureCertificate: inEnvironment(sql`"SecureCertificate" o`, sql`o."key"`),
  User: named(sql`"User" o`, sql`o."email"`),
  TwoFactor: named(sql`"User" o`, sql`o."email"`),
  Role: named(sql`"Role" o`, sql`o."name"`),
  RolePermission: named(sql`"RolePermission" o JOIN "Role" r ON r."id" = o."roleId"`, sql`r."name"`),
  Platform: named(sql`"Platform" o`, sql`o."name"`),
  ApiToken: named(sql`"ApiToken" o`, sql`o."name"`),
  TesterGroup: (id) =>
    sql`SELECT o."name", o."appId", NULL::uuid AS "environmentId" FROM "TesterGroup" o WHERE o."id" = ${id}`,
  ShareLink: inEnvironment(sql`"ShareLink" o`, sql`o."name"`),
};

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
