import type pg from "pg";

type Write = (client: pg.PoolClient) => Promise<void>;

/**
 * Makes writes in a transaction, and others on a second connection before that transaction is committed.
 * @throws pg.DatabaseError if the others wait for a lock of the open transaction
 */
export async function writeBeside(pool: pg.Pool, writeOpen: Write, write: Write): Promise<void> {
  const [open, other] = [await pool.connect(), await pool.connect()];
  try {
    await open.query("BEGIN");
    await writeOpen(open);
    // Locks of the open transaction are held until its commit, which comes after these writes. The server's own locks, such as the one
    // that extends a table, take milliseconds.
    await other.query("SET lock_timeout = '5s'");
    await write(other);
    await open.query("COMMIT");
  } finally {
    // Closed, because one of them may be in a transaction after a failure.
    open.release(true);
    other.release(true);
  }
}
