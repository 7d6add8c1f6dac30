import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, openPool, type TestDatabase } from "@/scripts/test-database.ts";
import { SerialQueryClient } from "./serial-client";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  pool = openPool({ connectionString: database.url, max: 1, Client: SerialQueryClient });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it("runs one query at a time on a connection, in order, also after a failed one", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  const client = await pool.connect();
  try {
    const results = await Promise.allSettled([
      client.query("SELECT 1 AS n"),
      client.query("SELECT nonsense"),
      client.query({ text: "SELECT $1::int AS n", values: [3], rowMode: "array" }),
      client.query("SELECT 4 AS n"),
    ]);
    expect(results.map((result) => (result.status === "fulfilled" ? result.value.rows : result.reason.code))).toEqual([
      [{ n: 1 }],
      "42703",
      [[3]],
      [{ n: 4 }],
    ]);
    expect((await client.query("SELECT 5 AS n")).rows).toEqual([{ n: 5 }]);
  } finally {
    client.release();
    process.off("warning", note);
  }
  expect((await pool.query("SELECT $1::int AS n", [6])).rows).toEqual([{ n: 6 }]);
  expect(warnings).toEqual([]);
});

it("runs a query of the pool after the one that a listener of new connections has started", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  const fresh = openPool({ connectionString: database.url, max: 1, Client: SerialQueryClient });
  fresh.on("connect", (client) => void client.query("SET statement_timeout = 1234"));
  try {
    expect((await fresh.query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "1234ms" }]);
    await new Promise(setImmediate);
  } finally {
    await fresh.end();
    process.off("warning", note);
  }
  expect(warnings).toEqual([]);
});
