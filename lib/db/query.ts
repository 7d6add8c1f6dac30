import "server-only";
import pg from "pg";
import { type Db, databasePool, db } from "./client";
import { Prisma } from "./generated/client";
import { preparedStatement, prepareStatement } from "./prepared-statements";

export const { sql, join, raw, empty } = Prisma;
export type Sql = Prisma.Sql;

/** A row in a JSON value, in which timestamps are strings. */
export type JsonRow<Row> = { [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] };

/** PostgreSQL's code for `query_canceled`. */
const QUERY_CANCELED = "57014";

/** Whether a statement was cancelled because it took longer than its time limit. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
}

/** PostgreSQL's code for `feature_not_supported`, also of a prepared statement whose columns a migration changed. */
const FEATURE_NOT_SUPPORTED = "0A000";

/** Parses values as Prisma's raw queries do, so that rows are the same inside and outside a transaction. */
const VALUE_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? (value: string) => BigInt(value) : pg.types.getTypeParser(oid, format),
};

/**
 * Runs a statement written in SQL and returns its rows: `timestamptz` as Date, `json` parsed, `int8` as bigint, NULL as
 * null.
 *
 * Outside a transaction, the statement bypasses Prisma, which takes several times as long for a row as PostgreSQL.
 *
 * @param from the database or a transaction
 * @param options.prepared whether to use a prepared statement. It must name its columns (`SELECT *` fails after a migration
 *   adds one), and its best plan must not depend on its values, such as a search term or a LIMIT.
 * @param options.timeoutMs instead of `STATEMENT_TIMEOUT_MS`; ignored in a transaction
 */
export async function queryRows<Row>(
  from: Db,
  statement: Sql,
  { prepared = false, timeoutMs }: { prepared?: boolean; timeoutMs?: number } = {},
): Promise<Row[]> {
  const { text, values } = statement;
  if (prepared) prepareStatement(text);
  if (from !== db) return from.$queryRaw<Row[]>(statement);
  const name = preparedStatement(text);
  const run = (query: pg.QueryConfig) =>
    timeoutMs === undefined ? databasePool().query(query) : queryWithin(timeoutMs, query);
  try {
    const { rows } = await run({ name, text, values, types: VALUE_TYPES });
    return rows as Row[];
  } catch (error) {
    const isStale = name && error instanceof pg.DatabaseError && error.code === FEATURE_NOT_SUPPORTED;
    if (!isStale) throw error;
    const { rows } = await run({ text, values, types: VALUE_TYPES });
    return rows as Row[];
  }
}

/** The number of rows of a query, at most `take`. */
export async function countRows(from: Db, rows: Sql, take: number): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    from,
    sql`SELECT count(*)::int AS "count" FROM (${rows} LIMIT ${take}) counted`,
  );
  return row?.count ?? 0;
}

/** Runs a query with the given time limit. */
async function queryWithin(timeoutMs: number, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await databasePool().connect();
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = ${timeoutMs}`);
    const result = await client.query(query);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // Closes the connection, so that the transaction does not affect later queries.
    client.release(true);
    throw error;
  }
}
