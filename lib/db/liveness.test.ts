import { afterEach, expect, it } from "vitest";
import { startTcpProxy } from "@/lib/testing/tcp-proxy";
import { within } from "@/lib/testing/within";
import { createTestDatabase, openPool } from "@/scripts/test-database";
import { killStalledConnections } from "./liveness";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function anEmptyDatabase() {
  const database = await createTestDatabase({ empty: true });
  cleanups.push(() => database.drop());
  return database;
}

function aPool(connectionString: string) {
  const pool = openPool({ connectionString });
  killStalledConnections(pool, connectionString);
  cleanups.push(() => pool.end());
  return pool;
}

/** Returns a pool on a database behind a proxy that can discard all data. */
async function aDatabase() {
  const database = await anEmptyDatabase();
  const { hostname: host, port } = new URL(database.url);
  const network = await startTcpProxy({ host, port: Number(port) });
  cleanups.push(network.close);
  const url = Object.assign(new URL(database.url), { port: String(network.port) }).href;
  return { pool: aPool(url), network };
}

it("a query fails within 5 seconds if the database stops responding, and the next one succeeds after it recovers", async () => {
  const { pool, network } = await aDatabase();
  await pool.query("SELECT 1");
  network.fallSilent();
  await expect(within(5_000, pool.query("SELECT 1"))).rejects.toThrow(/Connection terminated/);
  await network.recover();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

it("a slow query is not interrupted while the database responds", async () => {
  const { pool } = await aDatabase();
  expect((await pool.query("SELECT pg_sleep(4), 1 AS one")).rows).toMatchObject([{ one: 1 }]);
});

it("a query is not interrupted if this process is blocked while the database responds", async () => {
  // Without the proxy, which this process would block too.
  const pool = aPool((await anEmptyDatabase()).url);
  await pool.query("SELECT 1");
  let isAnswered = false;
  const answer = pool.query("SELECT pg_sleep(3), 1 AS one").finally(() => {
    isAnswered = true;
  });
  // Longer than the limit of the check whether the database responds, and with a moment in between to begin one.
  while (!isAnswered) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_600);
    await new Promise(setImmediate);
  }
  expect((await answer).rows).toMatchObject([{ one: 1 }]);
});
