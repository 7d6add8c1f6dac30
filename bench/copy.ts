import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";

/** A column value; null is NULL. */
export type Cell = string | number | null;

/** The rows to add to a table. */
export interface Rows {
  table: string;
  columns: readonly string[];
  cells: Iterable<readonly Cell[]>;
  /** The indexes that the triggers of the table read. They are kept while it is filled. */
  readIndexes?: readonly string[];
}

/** Rows per COPY, which limits the memory that triggers use for one statement. */
const BATCH = 100_000;
/** Characters per write. */
const CHUNK = 1 << 16;

/** Formats a cell in COPY's text format. */
function toCopyText(cell: Cell): string {
  if (cell === null) return "\\N";
  return typeof cell === "number" ? String(cell) : cell.replace(/[\\\t\n\r]/g, (sign) => `\\${ESCAPED[sign]}`);
}
const ESCAPED: Record<string, string> = { "\\": "\\", "\t": "t", "\n": "n", "\r": "r" };

/** Yields the lines of one batch of rows, about {@link CHUNK} characters at a time. */
function* linesOf(cells: Iterator<readonly Cell[]>, first: readonly Cell[]): Generator<string> {
  let text = "";
  let row: readonly Cell[] | undefined = first;
  for (let count = 1; row; count++) {
    text += `${row.map(toCopyText).join("\t")}\n`;
    if (text.length >= CHUNK) {
      yield text;
      text = "";
    }
    row = count < BATCH ? cells.next().value : undefined;
  }
  yield text;
}

/**
 * Fills a table by COPY from a stream. Drops its indexes except those of keys and `readIndexes`, and creates them again afterwards,
 * which is faster than updating them for each row.
 */
export async function copyInto(client: pg.Client, { table, columns, cells, readIndexes = [] }: Rows): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS "name", pg_get_indexdef(i.indexrelid) AS "definition"
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = $1::regclass AND c.relname <> ALL ($2)
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`,
    [`"${table}"`, readIndexes],
  );
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  const names = columns.map((column) => `"${column}"`).join(", ");
  const remaining = cells[Symbol.iterator]();
  for (let next = remaining.next(); !next.done; next = remaining.next()) {
    const target = client.query(copyFrom(`COPY "${table}" (${names}) FROM STDIN`));
    await pipeline(Readable.from(linesOf(remaining, next.value)), target);
  }
  for (const { definition } of rows) await client.query(definition);
}

/** Returns a number from 0 to 2³² - 1 that is different for each number up to that. */
export function scrambled(n: number): number {
  return Math.imul(n, 2_654_435_761) >>> 0;
}

export function pick<T>(list: readonly T[], n: number): T {
  return list[n % list.length] as T;
}
