import "server-only";
import type pg from "pg";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";

/** The advisory lock that a backup holds. */
const LOCK = "storage:removal";

/**
 * Pauses the removal of objects until the transaction of this client ends, also if its connection is lost: every object
 * that a row of a later snapshot refers to stays in the store, even if its row is deleted.
 */
export async function pauseRemoval(client: pg.ClientBase): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [LOCK]);
}

/**
 * Whether the removal of objects is paused. To be called after the commit that marked the file `deleting`: a pause that
 * begins later is followed by a snapshot in which the file is deleted.
 */
export async function isRemovalPaused(from: Db = db): Promise<boolean> {
  const [lock] = await queryRows<{ taken: boolean }>(
    from,
    sql`SELECT pg_try_advisory_xact_lock_shared(hashtextextended(${LOCK}, 0)) AS "taken"`,
  );
  return lock?.taken !== true;
}
