import type pg from "pg";

type Write = (client: pg.PoolClient) => Promise<void>;

/**
 * Writes in a transaction, and beside it in others before it is committed.
 * @throws pg.DatabaseError if those have to wait for the open one
 */
export async function writeBeside(pool: pg.Pool, writeOpen: Write, write: Write): Promise<void> {
  const [open, other] = [await pool.connect(), await pool.connect()];
  try {
    await open.query("BEGIN");
    await writeOpen(open);
    // The open transaction holds its locks until it is committed. The server's own locks, such as the one that extends a table, take
    // milliseconds.
    await other.query("SET lock_timeout = '5s'");
    await write(other);
    await open.query("COMMIT");
  } finally {
    // Closes the connections, of which one may be in a transaction after a failure.
    open.release(true);
    other.release(true);
  }
}
