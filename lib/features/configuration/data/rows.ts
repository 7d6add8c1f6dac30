import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, raw, type Sql, sql } from "@/lib/db/query";
import type { Columns } from "./entries";

/** The JSON of rows for one statement has about this many characters at most. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/** Runs a statement over rows, which it takes as a JSON list, in batches. */
export async function writeRows(tx: Db, rows: readonly object[], statement: (json: string) => Sql): Promise<void> {
  let batch: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) await queryRows(tx, statement(`[${batch.join(",")}]`));
    batch = [];
    characters = 0;
  };
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (characters + json.length > BATCH_CHARACTERS) await flush();
    batch.push(json);
    characters += json.length;
  }
  await flush();
}

export const quoted = (column: string) => `"${column}"`;
export const base64 = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString("base64");

/** The rows of a JSON list as a relation `x`. */
export function recordset(json: string, columns: Columns): Sql {
  const definition = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return sql`jsonb_to_recordset(${json}::jsonb) AS x(${raw(definition.join(", "))})`;
}

export const decoded = (column: string) => `decode(x."${column}", 'base64')`;
