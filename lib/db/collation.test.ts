import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/scripts/test-database.ts";
import { applyMigrations } from "./migrations";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe("the order of names", () => {
  it("is without case and accents, with numbers as numbers, and decides ties by bytes", async () => {
    const names = [
      "Zoë",
      "Élodie",
      "elodie",
      "Elodie",
      "SERVICE_10",
      "SERVICE_2",
      "Testers",
      "iOS developers",
      "ángel",
    ];
    const { rows } = await client.query('SELECT n FROM unnest($1::text[]) n ORDER BY n COLLATE "names"', [names]);
    expect(rows.map(({ n }) => n)).toEqual([
      "ángel",
      "Elodie",
      "elodie",
      "Élodie",
      "iOS developers",
      "SERVICE_2",
      "SERVICE_10",
      "Testers",
      "Zoë",
    ]);
  });

  it("takes two names for the same only if they are", async () => {
    const { rows } = await client.query(`SELECT 'Elodie' = 'elodie' COLLATE "names" AS "isSame"`);
    expect(rows[0].isSame).toBe(false);
  });

  it("is that of the indexes again once the server's ICU changed, and of no others", async () => {
    const empty = await createTestDatabase({ empty: true });
    const directory = mkdtempSync(join(tmpdir(), "slipway-collation-"));
    const owner = new pg.Client({ connectionString: empty.url });
    await owner.connect();
    onTestFinished(async () => {
      await owner.end();
      await empty.drop();
      rmSync(directory, { recursive: true });
    });
    await owner.query(`
      CREATE COLLATION "names" (provider = icu, locale = 'und-u-kn-true-ks-level1', version = '1');
      CREATE TABLE named (name text COLLATE "names", other text);
      CREATE INDEX by_name ON named (name); CREATE INDEX by_other ON named (other)`);
    const log = { info: vi.fn(), warn: vi.fn() };
    const start = () => applyMigrations({ connectionString: empty.url, directory, log });
    const files = async () =>
      (await owner.query("SELECT pg_relation_filenode('by_name') AS name, pg_relation_filenode('by_other') AS other"))
        .rows[0];
    const before = await files();
    await start();
    const after = await files();
    expect(after.name).not.toBe(before.name);
    expect(after.other).toBe(before.other);
    await start();
    expect(await files()).toEqual(after);
    expect(log.info.mock.calls).toEqual([["built 1 index of names again, because the ICU of PostgreSQL changed"]]);
  });
});
