import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { createTestDatabase } from "@/scripts/test-database";
import { cutSilentConnections } from "./db-watch";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A database behind a network that can be made to swallow everything. */
async function aDatabase() {
  const database = await createTestDatabase({ empty: true });
  cleanups.push(() => database.drop());
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  let silent = false;
  const proxy = createServer((from) => {
    const to = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.on("data", (data) => void (!silent && other.write(data)));
      one.on("error", () => {}).on("close", () => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const url = Object.assign(new URL(database.url), { port: String((proxy.address() as AddressInfo).port) }).href;
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => {});
  cutSilentConnections(pool, url);
  cleanups.push(() => pool.end());
  return {
    pool,
    fallSilent: () => {
      silent = true;
    },
    recover: () => {
      silent = false;
    },
  };
}

it("a query fails soon where the database has fallen silent, and the next one works when it is back", async () => {
  const { pool, fallSilent, recover } = await aDatabase();
  await pool.query("SELECT 1");
  fallSilent();
  const begun = performance.now();
  await expect(pool.query("SELECT 1")).rejects.toThrow(/Connection terminated/);
  expect(performance.now() - begun).toBeLessThan(5_000);
  recover();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

it("a query that takes long is left alone while the database answers", async () => {
  const { pool } = await aDatabase();
  expect((await pool.query("SELECT pg_sleep(4), 1 AS one")).rows).toMatchObject([{ one: 1 }]);
});
