import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";

export interface TestDatabase {
  /** `postgresql://` URL, as the role that owns the database. */
  url: string;
  drop(): Promise<void>;
}

/**
 * Gives a test a database of its own on a real PostgreSQL, with all migrations applied. The server starts at the first
 * call of a run of tests and ends with the run.
 *
 * @param options.empty without the migrations
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
 * For a test file whose code uses `lib/db`: gives the whole file one migrated database, named by DATABASE_URL from before
 * its first test until after its last.
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
 * A pool on a database that is going to be dropped. `end` does not wait until the connections are closed, and one that
 * is closing may still be told that its database goes.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
