import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { log } from "@/lib/kernel/log";
import { startTcpProxy, type TcpProxy } from "@/lib/testing/tcp-proxy";
import { createTestDatabase, type TestDatabase } from "@/scripts/test-database";
import { JOBS, startJobs, stopJobs } from "./index";

let database: TestDatabase;
let proxy: TcpProxy;

beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  process.env.DATABASE_URL = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
});

afterAll(async () => {
  await stopJobs();
  await proxy.close();
  await database.drop();
});

const connections = async (client: pg.Client) => {
  const { rows } = await client.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'slipway-jobs' AND datname = current_database()",
  );
  return rows[0].count as number;
};

it("jobs start when a database that was unavailable at the start is available, without leaking connections", async () => {
  await proxy.refuse();
  const retried = vi.spyOn(log, "warn");
  let ready = false;
  const starting = startJobs().then(() => {
    ready = true;
  });
  await expect.poll(() => retried.mock.calls.length).toBeGreaterThan(0);
  expect(ready).toBe(false);
  await proxy.recover();
  await starting;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query("SELECT name FROM pgboss.schedule");
  const scheduled = JOBS.filter(({ schedule }) => schedule !== undefined).map(({ queue }) => queue);
  expect(rows.map(({ name }) => name).sort()).toEqual(scheduled.sort());
  // Two connections of the pool and one that listens for notifications.
  expect(await connections(client)).toBeLessThanOrEqual(3);
  await stopJobs();
  await expect.poll(() => connections(client)).toBe(0);
  await client.end();
});

it("jobs that have not started before stopJobs do not start afterwards", async () => {
  await proxy.refuse();
  const starting = startJobs();
  await stopJobs();
  await proxy.recover();
  await starting;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  expect(await connections(client)).toBe(0);
  await client.end();
});

it("jobs whose statements wait for each other at the start report no error", async () => {
  const [locking, watching] = [1, 2].map(() => new pg.Client({ connectionString: database.url })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([locking.connect(), watching.connect()]);
  const [first, second] = JOBS.map(({ queue }) => queue);
  await locking.query("BEGIN");
  await locking.query("SELECT 1 FROM pgboss.queue WHERE name IN ($1, $2) FOR UPDATE", [first, second]);
  const warnings = vi.spyOn(log, "warn").mockClear();
  // Time passes only when this says so.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const starting = startJobs();
    const blocked = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'slipway-jobs' AND datname = current_database()
      AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await watching.query(blocked)).rowCount, { timeout: 20_000 }).toBe(2);
    await vi.advanceTimersByTimeAsync(6_000);
    await locking.query("COMMIT");
    vi.useRealTimers();
    await starting;
    expect(warnings).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
    await stopJobs();
    await Promise.all([locking.end(), watching.end()]);
  }
});
