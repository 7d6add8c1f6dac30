import "server-only";
import pg from "pg";

/** How often the connections that wait for an answer are looked at, in milliseconds. */
const LOOK_MS = 500;
/** A connection that has brought nothing for so long may have nobody at its other end, in milliseconds. */
const QUIET_MS = 1_000;
/** So long may the database take to answer a new connection, in milliseconds. */
const ANSWER_MS = 1_500;

/** What pg says of a client beside what its types do: where its bytes come from. */
interface ClientInternals {
  connection: { stream: { bytesRead: number; destroy(error: Error): void } };
}

interface Waiting {
  bytesRead: number;
  since: number;
}

/** Whether the database answers a new connection, be it with a refusal. */
async function answers(connectionString: string): Promise<boolean> {
  const probe = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS });
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
 * Cuts the connections of a pool whose database has fallen silent: one that was stopped, or a network that swallows
 * packets, ends no connection, and a query would wait for ever. A query may take as long as it needs as long as the
 * database answers others.
 */
export function cutSilentConnections(pool: pg.Pool, connectionString: string): void {
  const waiting = new Map<pg.PoolClient, Waiting>();
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    const now = performance.now();
    for (const [client, seen] of waiting) {
      const { bytesRead } = (client as unknown as ClientInternals).connection.stream;
      if (bytesRead !== seen.bytesRead) waiting.set(client, { bytesRead, since: now });
    }
    const quiet = [...waiting].filter(([, { since }]) => now - since >= QUIET_MS);
    if (quiet.length === 0 || (await answers(connectionString))) return;
    for (const [client, seen] of quiet) {
      const { stream } = (client as unknown as ClientInternals).connection;
      if (waiting.get(client) === seen && stream.bytesRead === seen.bytesRead) {
        stream.destroy(new Error("Connection terminated: the database does not answer"));
      }
    }
  };
  const lookAgain = () => {
    timer = setTimeout(async () => {
      await look();
      timer = undefined;
      if (waiting.size > 0) lookAgain();
    }, LOOK_MS);
    timer.unref();
  };

  pool.on("acquire", (client) => {
    const { bytesRead } = (client as unknown as ClientInternals).connection.stream;
    waiting.set(client, { bytesRead, since: performance.now() });
    if (!timer) lookAgain();
  });
  pool.on("release", (_error, client) => waiting.delete(client));
  pool.on("remove", (client) => waiting.delete(client));
}
