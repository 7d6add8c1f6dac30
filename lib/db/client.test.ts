import { expect, it } from "vitest";
import { setUpTestDatabase } from "@/scripts/test-database";
import { databasePool, openConnections } from "./client";
import { isDatabaseUnavailable } from "./unavailable";

setUpTestDatabase();

it("a connection that the server ends in a transaction fails the next query only, as a restart of the database does", async () => {
  const client = await databasePool().connect();
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  await client.query("BEGIN");
  const ended = new Promise((resolve) => client.once("end", resolve));
  await databasePool().query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
  await ended;
  const failure: unknown = await client.query("SELECT 1").catch((error) => error);
  client.release(true);
  expect(isDatabaseUnavailable(failure)).toBe(true);
});

it("opens the connections of the first requests, and keeps those that could be opened if one could not", async () => {
  const pool = databasePool();
  await openConnections(6);
  expect([pool.totalCount, pool.idleCount]).toEqual([6, 6]);
  const { max, reserved, connectTimeoutMs } = pool.options;
  Object.assign(pool.options, { max: 7, reserved: 0, connectTimeoutMs: 1_500 });
  await expect(openConnections(8)).rejects.toThrow("timeout exceeded when trying to connect");
  Object.assign(pool.options, { max, reserved, connectTimeoutMs });
  expect([pool.totalCount, pool.idleCount]).toEqual([7, 7]);
});
