import "server-only";
import pg from "pg";
import { SerialQueryClient } from "./serial-client";

const CHECK_INTERVAL_MS = 500;
/** A query that receives no data for this long is checked. */
const STALL_TIMEOUT_MS = 1_000;
/** How long a check waits for the database to respond to a new connection. */
const PROBE_TIMEOUT_MS = 1_500;

/** The socket of a pg client, which its types do not declare. */
interface ClientInternals {
  connection: { stream: { bytesRead: number; destroy(error: Error): void } };
}

interface PendingQuery {
  bytesRead: number;
  since: number;
}

/** Returns whether the database responds to a new connection, even if it rejects it. */
async function isDatabaseResponding(connectionString: string): Promise<boolean> {
  const probe = new SerialQueryClient({ connectionString, connectTimeoutMs: PROBE_TIMEOUT_MS });
  probe.on("error", () => {});
  try {
    await probe.connect();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    probe.end().catch(() => {});
  }
}

/**
 * Closes the connections of a pool whose database no longer responds. A suspended server or a network that drops packets does
 * not close connections, so queries would wait forever. A query may take any time while the database responds to new
 * connections.
 */
export function killStalledConnections(pool: pg.Pool, connectionString: string): void {
  const pending = new Map<pg.PoolClient, PendingQuery>();
  let timer: NodeJS.Timeout | undefined;

  const check = async () => {
    const now = performance.now();
    for (const [client, seen] of pending) {
      const { bytesRead } = (client as unknown as ClientInternals).connection.stream;
      if (bytesRead !== seen.bytesRead) pending.set(client, { bytesRead, since: now });
    }
    const stalled = [...pending].filter(([, { since }]) => now - since >= STALL_TIMEOUT_MS);
    if (stalled.length === 0 || (await isDatabaseResponding(connectionString))) return;
    for (const [client, seen] of stalled) {
      const { stream } = (client as unknown as ClientInternals).connection;
      if (pending.get(client) === seen && stream.bytesRead === seen.bytesRead) {
        stream.destroy(new Error("Connection terminated: the database does not answer"));
      }
    }
  };
  const scheduleCheck = () => {
    timer = setTimeout(async () => {
      await check();
      timer = undefined;
      if (pending.size > 0) scheduleCheck();
    }, CHECK_INTERVAL_MS);
    timer.unref();
  };

  pool.on("acquire", (client) => {
    const { bytesRead } = (client as unknown as ClientInternals).connection.stream;
    pending.set(client, { bytesRead, since: performance.now() });
    if (!timer) scheduleCheck();
  });
  pool.on("release", (_error, client) => pending.delete(client));
  pool.on("remove", (client) => pending.delete(client));
}
