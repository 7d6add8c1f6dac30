import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { createTestDatabase, ignoreLostConnections, type TestDatabase } from "@/scripts/test-database";
import { withReserve } from "./reserve";
import { ResponsivePool } from "./responsive-pool";

/** Long enough for a handshake with PostgreSQL on a busy machine. */
const TIMEOUT_MS = 2_000;

let database: TestDatabase;
const pools: ResponsivePool[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(pools.splice(0).map((pool) => pool.ending || pool.end()));
});
afterAll(() => database.drop());

function aPool(config: { connectionString?: string; connectTimeoutMs?: number; max?: number; reserved?: number } = {}) {
  const defaults = { connectionString: database.url, connectTimeoutMs: TIMEOUT_MS, max: 1 };
  const pool = ignoreLostConnections(new ResponsivePool({ ...defaults, ...config }));
  pools.push(pool);
  return pool;
}

/** Lets time pass only when a test says so, so that a slow machine takes none of the limit. */
const stopTime = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

/** Blocks the event loop for longer than the time limit. */
const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMEOUT_MS + 200);

it("opens a connection although the process was blocked for longer than the limit", async () => {
  const answer = aPool().query("SELECT 1 AS one");
  block();
  expect((await answer).rows).toEqual([{ one: 1 }]);
});

it("hands on a connection although the process was blocked for longer than the limit", async () => {
  const pool = aPool();
  await pool.query("SELECT 1");
  const answers = Promise.all([pool.query("SELECT 1 AS n"), pool.query("SELECT 2 AS n")]);
  await new Promise(process.nextTick);
  block();
  expect((await answers).map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
});

it("gives up after the limit, and forgets who waited, if no connection becomes free", async () => {
  stopTime();
  const pool = aPool();
  const taken = await pool.connect();
  const refused = expect(pool.query("SELECT 1")).rejects.toThrow("timeout exceeded when trying to connect");
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
  await refused;
  expect(pool.allWaiting).toBe(0);
  taken.release();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

it("gives up after the limit, and keeps no connection, if the database does not answer", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on("error", () => {}))).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const pool = aPool({ connectionString: `postgresql://127.0.0.1:${port}/x`, connectTimeoutMs: 200 });
  await expect(pool.connect()).rejects.toThrow("timeout exceeded when trying to connect");
  await expect.poll(() => pool.totalCount).toBe(0);
  silent.close();
  for (const socket of sockets) socket.destroy();
});

it("returns a connection to the pool that was opened after its caller gave up", async () => {
  const { hostname, port } = new URL(database.url);
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  const begun = Promise.withResolvers<void>();
  let connections = 0;
  const sockets: Socket[] = [];
  // Forwards a connection once `opened` is resolved.
  const slow = createServer(async (from) => {
    connections += 1;
    if (connections === 2) begun.resolve();
    const to = connect(Number(port), hostname);
    for (const socket of [from, to]) sockets.push(socket.on("error", () => {}));
    await opened.promise;
    from.pipe(to).pipe(from);
  }).listen(0, "127.0.0.1");
  await once(slow, "listening");
  const url = Object.assign(new URL(database.url), { port: String((slow.address() as AddressInfo).port) });
  stopTime();
  const pool = aPool({ connectionString: url.href });
  const taken = await pool.connect();
  opened = Promise.withResolvers<void>();
  const late = expect(pool.connect()).rejects.toThrow("timeout exceeded when trying to connect");
  // The connection is begun while its caller waits, so that it has time of its own left after that.
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
  taken.release(true);
  await begun.promise;
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
  await late;
  opened.resolve();
  await expect.poll(() => [pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  await pool.end();
  slow.close();
  for (const socket of sockets) socket.destroy();
});

it("leaves its reserve to work that may use it, and hands on the other connections in their order", async () => {
  const pool = aPool({ max: 2, reserved: 1 });
  const first = await pool.connect();
  const second = pool.connect();
  expect(pool.allWaiting).toBe(1);
  const [row] = (await withReserve(() => pool.query("SELECT 1 AS one"))).rows;
  expect(row).toEqual({ one: 1 });
  expect(pool.allWaiting).toBe(1);
  first.release();
  const third = pool.connect();
  (await second).release();
  (await third).release();
  expect(pool.allWaiting).toBe(0);
});

it("gives back the place of what no longer waits for a connection", async () => {
  stopTime();
  const pool = aPool({ max: 2, reserved: 1 });
  const first = await pool.connect();
  const late = expect(pool.connect()).rejects.toThrow("timeout exceeded");
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
  await late;
  first.release();
  (await pool.connect()).release();
});
