import "server-only";
import type { Db } from "./client";
import { queryRows, type Sql, sql } from "./query";

/** A search that finds more reads its list in order. */
export const MAX_FEW = 2_000;

/**
 * The IDs that a search finds, if they are few. A list that is searched in several tables then reads these rows alone: PostgreSQL looks up no
 * index for a condition like "this column or that one of another table". Where very many fit, the first page is found sooner in the order
 * of the list.
 * @param found a statement with the column `id`, which may have more rows than the list
 * @returns null if they are more than `MAX_FEW`
 */
export async function fewFound(db: Db, found: Sql): Promise<string[] | null> {
  const rows = await queryRows<{ id: string }>(db, sql`SELECT found."id" FROM (${found}) found LIMIT ${MAX_FEW + 1}`);
  return rows.length > MAX_FEW ? null : [...new Set(rows.map(({ id }) => id))];
}

/** The word of a search that is likely to be in the fewest rows: the longest one. */
export function longestWord(search: string): string {
  const words = search.split(/\s+/).filter(Boolean);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}
