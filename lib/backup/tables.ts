import "server-only";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

/** A table with its columns in their order, without generated ones. */
export interface Table {
  name: string;
  columns: string[];
}

/** The last value of the sequence of a column; null if it gave none. */
interface SequenceState {
  table: string;
  column: string;
  lastValue: string | null;
}

/** The number of rows of a table, and the SHA-256 of the text that COPY writes of them in the order of their keys. */
export interface TableDigest {
  rows: number;
  sha256: string;
}

/**
 * The text of values depends on these settings. Timeouts are for requests, not for copying all rows.
 * `search_path` is left alone: the tables are those of the current schema.
 */
export const COPY_SETTINGS = `
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL lock_timeout = 0;
  SET LOCAL client_encoding = 'UTF8';
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 1`;

/** Migrations are applied, not copied. */
const NOT_COPIED = "_prisma_migrations";

const NEWLINE = 10;

const quoted = (name: string) => pg.escapeIdentifier(name);
const listed = (names: readonly string[]) => names.map(quoted).join(", ");

/**
 * The tables whose rows belong to a backup, each after those that its foreign keys refer to. Unlogged tables, which
 * PostgreSQL itself empties after a crash, are left out.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; references: string[] }>(
    `SELECT c.relname AS "name",
       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS "columns",
       (SELECT coalesce(array_agg(DISTINCT r.relname::text), '{}') FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS "references"
     FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relname <> $1
     ORDER BY c.relname COLLATE "C"`,
    [NOT_COPIED],
  );
  const ordered: Table[] = [];
  const done = new Set<string>();
  while (ordered.length < rows.length) {
    const next = rows.find(({ name, references }) => !done.has(name) && references.every((other) => done.has(other)));
    if (!next) throw new Error("foreign keys refer to each other in a circle, so no order of the tables fits them");
    ordered.push({ name: next.name, columns: next.columns });
    done.add(next.name);
  }
  return ordered;
}

/** The order of a primary key, the same in every database whatever its collation. */
async function keyOrder(client: pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string; collatable: boolean }>(
    `SELECT a.attname AS "name", a.attcollation <> 0 AS "collatable"
     FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
     WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY k.place`,
    [quoted(table)],
  );
  if (rows.length === 0) throw new Error(`the table ${table} has no primary key`);
  return rows.map(({ name, collatable }) => `${quoted(name)}${collatable ? ' COLLATE "C"' : ""}`).join(", ");
}

/** Counts the rows of COPY's text, in which a line feed ends a row and nothing else, and hashes it. */
export class RowHash {
  readonly #hash = createHash("sha256");
  #rows = 0;

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) this.#rows += 1;
  }

  digest(): TableDigest {
    return { rows: this.#rows, sha256: this.#hash.digest("hex") };
  }
}

/** The rows of a table in the order of their keys, in the text format of COPY. */
export async function* readTable(client: pg.ClientBase, { name, columns }: Table): AsyncGenerator<Uint8Array> {
  const order = await keyOrder(client, name);
  yield* client.query(copyTo(`COPY (SELECT ${listed(columns)} FROM ${quoted(name)} ORDER BY ${order}) TO STDOUT`));
}

/** The digest of a table's rows as they are now. */
export async function digestTable(client: pg.ClientBase, table: Table): Promise<TableDigest> {
  const hash = new RowHash();
  for await (const bytes of readTable(client, table)) hash.update(bytes);
  return hash.digest();
}

/** Inserts rows in the text format of COPY. */
export async function fillTable(
  client: pg.ClientBase,
  { name, columns }: Table,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  await pipeline(Readable.from(rows), client.query(copyFrom(`COPY ${quoted(name)} (${listed(columns)}) FROM STDIN`)));
}

/**
 * Empties tables, and turns off what triggers do with new rows: the rows that follow have been through them. To be called
 * in a transaction, which `endFilling` ends the same way.
 */
export async function beginFilling(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  await client.query(`TRUNCATE ${listed(tables.map(({ name }) => name))}`);
}

/** Turns triggers on again, and lets sequences go on where they were. */
export async function endFilling(
  client: pg.ClientBase,
  tables: readonly Table[],
  sequences: readonly SequenceState[],
): Promise<void> {
  for (const { table, column, lastValue } of sequences) {
    const sequence = "pg_get_serial_sequence($1, $2)::regclass";
    if (lastValue === null) await client.query(`SELECT setval(${sequence}, 1, false)`, [quoted(table), column]);
    else await client.query(`SELECT setval(${sequence}, $3::bigint, true)`, [quoted(table), column, lastValue]);
  }
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
}

/** The states of all sequences that belong to columns. */
export async function readSequences(client: pg.ClientBase): Promise<SequenceState[]> {
  const { rows } = await client.query<SequenceState>(
    `SELECT c.relname AS "table", a.attname AS "column", pg_sequence_last_value(s.oid)::text AS "lastValue"
     FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
     JOIN pg_class c ON c.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
     WHERE d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
       AND c.relnamespace = current_schema()::regnamespace AND c.relpersistence = 'p'
     ORDER BY c.relname COLLATE "C", a.attname COLLATE "C"`,
  );
  return rows;
}
