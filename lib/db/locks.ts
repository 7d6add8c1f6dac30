import "server-only";
import type { Db } from "./client";
import type { Prisma } from "./generated/client";
import { queryRows, raw, sql } from "./query";

/**
 * Locks a row until the transaction ends, so that what is read of it afterwards still holds when it is written. Rows
 * that refer to it may be inserted in the meantime.
 * @param options.shared keeps it from being changed, and lets other transactions hold the same lock; for rows that this
 *   one does not write
 * @returns whether there is such a row
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
 * Waits for a lock, over all instances, that lasts until the transaction ends. Two keys that hash alike share a lock.
 * @param key names what is locked, such as `release:<environment id>:<hash>`
 */
export async function lockUntilCommit(tx: Db, key: string): Promise<void> {
  await queryRows(tx, sql`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}
