import "server-only";
import pg from "pg";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { type Db, databasePool, db } from "./client";
import { Prisma } from "./generated/client";

export const { sql, join, raw, empty } = Prisma;
export type Sql = Prisma.Sql;

/** A row inside a JSON value, where instants are texts. */
export type JsonRow<Row> = { [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] };

/** Each connection keeps at most this many prepared statements, however many texts the callers' filters produce. */
const MAX_PREPARED_STATEMENTS = 64;

/** The names of prepared statements by their text; shared, as the connections are. */
const statementNames = processSingleton("statement-names", () => new Map<string, string>());

/** The name under which a text is prepared; undefined once there are too many. */
function statementName(text: string): string | undefined {
  const names = statementNames.get();
  if (!names.has(text) && names.size < MAX_PREPARED_STATEMENTS) names.set(text, `slipway_${names.size}`);
  return names.get(text);
}

/** Reads values as Prisma's raw queries do, so that a row looks the same inside and outside a transaction. */
const VALUE_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? (value: string) => BigInt(value) : pg.types.getTypeParser(oid, format),
};

/**
 * Runs a statement written in SQL and returns its rows: `timestamptz` as Date, `json` parsed, `int8` as bigint, NULL as
 * null.
 *
 * Outside a transaction the statement goes to the pool directly. Prisma takes several times as long for one row as
 * PostgreSQL does.
 *
 * @param from the database, or the transaction that the statement is part of
 * @param options.prepared whether PostgreSQL keeps the plan for each connection. Such a statement names its columns
 *   (`SELECT *` fails after a migration adds one), and its best plan does not depend on its values, such as a search
 *   term or a LIMIT.
 */
export async function queryRows<Row>(from: Db, statement: Sql, { prepared = false } = {}): Promise<Row[]> {
  if (from !== db) return from.$queryRaw<Row[]>(statement);
  const { text, values } = statement;
  const name = prepared ? statementName(text) : undefined;
  const { rows } = await databasePool().query({ name, text, values, types: VALUE_TYPES });
  return rows as Row[];
}
