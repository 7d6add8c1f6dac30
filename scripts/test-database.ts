import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";

export interface TestDatabase {
  /** `postgresql://` URL with the role that owns the database. */
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a PostgreSQL database for a test, with all migrations applied. The server starts on the first call of a test run
 * and stops at its end.
 *
 * @param options.empty whether to skip the migrations
 */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const broker = inject("databaseBroker");
  const answer = await fetch(broker, { method: "POST", body: JSON.stringify({ empty }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return {
    url: text,
    async drop() {
      const dropped = await fetch(broker, { method: "DELETE", body: JSON.stringify({ url: text }) });
      if (!dropped.ok) throw new Error(await dropped.text());
    },
  };
}

/**
 * Creates a migrated database for a test file whose code uses `lib/db`, and sets DATABASE_URL to it. The database is dropped
 * after the last test.
 */
export function setUpTestDatabase(): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    process.env.DATABASE_URL = database.url;
  });
  afterAll(() => database.drop());
}

/**
 * Opens a pool on a database that will be dropped. `end` does not wait until the connections are closed, so one of them may
 * still receive the error that its database was dropped.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  return ignoreLostConnections(new pg.Pool(config));
}

/** Lets a pool, and the test that uses it, ignore the loss of connections. See `openPool`. */
export function ignoreLostConnections<Pool extends pg.Pool>(pool: Pool): Pool {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
