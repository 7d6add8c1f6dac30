import { expect, it } from "vitest";
import { setUpTestDatabase } from "@/scripts/test-database";
import { databasePool } from "./client";
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
