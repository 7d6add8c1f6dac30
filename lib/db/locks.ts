import "server-only";
import type { Db } from "./client";
import type { Prisma } from "./generated/client";
import { queryRows, raw, sql } from "./query";

/**
 * Locks a row until the transaction ends, so that it does not change between reading and writing it. Rows that refer to it
 * can still be inserted.
 * @param options.shared `FOR SHARE` instead of `FOR NO KEY UPDATE`: prevents changes, but other transactions can take the
 *   same lock; for rows that this transaction does not write
 * @returns whether the row exists
 */
export async function lockRow(
  tx: Db,
  table: Prisma.ModelName,
  id: string | number,
  { shared = false } = {},
): Promise<boolean> {
  const key = typeof id === "number" ? sql`${id}` : sql`${id}::uuid`;
  const strength = raw(shared ? "SHARE" : "NO KEY UPDATE");
  const rows = await queryRows(tx, sql`SELECT 1 FROM ${raw(`"${table}"`)} WHERE "id" = ${key} FOR ${strength}`);
  return rows.length > 0;
}

/**
 * Takes an advisory lock that all instances share, and holds it until the transaction ends. Keys with the same hash share a
 * lock.
 * @param key such as `release:<environment ID>:<hash>`
 */
export async function lockUntilCommit(tx: Db, key: string): Promise<void> {
  await queryRows(tx, sql`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}
