import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { StorageError } from "@/lib/storage/driver";
import { createTestDatabase, type TestDatabase } from "../test-database";
import { runCommand } from "./run-command";

let database: TestDatabase;
let written: string;
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  process.env.DATABASE_URL = database.url;
  written = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await database.drop();
});

const state = (code: string) => Object.assign(new pg.DatabaseError("no", 1, "error"), { code });
const fail = (error: unknown) => () => Promise.reject(error);

it("a database without tables, which a model or a statement meets, ends a command with one line", async () => {
  await runCommand(async () => void (await db.serverKey.count()));
  await runCommand(async () => void (await db.$queryRaw`SELECT * FROM "ServerKey"`));
  await runCommand(fail(state("42703")));
  const line = "The database has no tables of this version yet. Start the console once, then run this again.\n";
  expect([written, process.exitCode]).toEqual([line.repeat(3), 1]);
});

it.each([
  [
    new StorageError("unavailable", { cause: new Error("S3 PutObject:\n503") }),
    "The store failed (unavailable): S3 PutObject: 503",
  ],
  [state("53100"), "The disk of the database is full: no"],
  [state("57P01"), "The database is not available: no"],
  [Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" }), "The disk is full: ENOSPC: no space left"],
])("a failure outside the program ends a command with its reason in one line: %s", async (error, line) => {
  await runCommand(fail(error), { needsDatabase: false });
  expect([written, process.exitCode]).toEqual([`${line}\n`, 1]);
});

it("a fault of the program is thrown", async () => {
  const error = new TypeError("no");
  await expect(runCommand(fail(error), { needsDatabase: false })).rejects.toBe(error);
  expect(written).toBe("");
});
