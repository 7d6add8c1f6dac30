import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/scripts/test-database.ts";
import { applyMigrations, MigrationError } from "./migrations";

let directory: string;
let database: TestDatabase;
let client: pg.Client;
const log = { info: vi.fn(), warn: vi.fn() };

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "slipway-migrations-"));
  database = await createTestDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  vi.clearAllMocks();
});
afterEach(async () => {
  await client.end();
  await database.drop();
  rmSync(directory, { recursive: true });
});

function write(name: string, sql: string) {
  mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(join(directory, name, "migration.sql"), sql);
}

const apply = () => applyMigrations({ connectionString: database.url, directory, log });
const tables = async () =>
  (await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")).rows.map(
    (row) => row.tablename,
  );
const rows = async () => (await client.query("SELECT * FROM _prisma_migrations ORDER BY started_at")).rows;

describe("applyMigrations", () => {
  it("applies pending migrations in the order of their names, each once", async () => {
    write("2_b", "ALTER TABLE a ADD COLUMN c text");
    write("1_a", "CREATE TABLE a (id int)");
    writeFileSync(join(directory, "migration_lock.toml"), 'provider = "postgresql"\n');
    await expect(apply()).resolves.toEqual({ applied: ["1_a", "2_b"] });
    await expect(apply()).resolves.toEqual({ applied: [] });
    write("3_c", "DROP TABLE a; -- nothing left\n");
    await expect(apply()).resolves.toEqual({ applied: ["3_c"] });
    expect(await tables()).toEqual(["_prisma_migrations"]);
    expect(log.info.mock.calls.flat()).toEqual(["1_a", "2_b", "3_c"].map((name) => `applied migration ${name}`));
  });

  it("records each as Prisma does: with the SHA-256 of the file, one step, finished", async () => {
    const sql = "CREATE TABLE a (id int);\n-- ñ\n";
    write("1_a", sql);
    await apply();
    expect(await rows()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: createHash("sha256").update(sql).digest("hex"),
        migration_name: "1_a",
        started_at: expect.any(Date),
        finished_at: expect.any(Date),
        applied_steps_count: 1,
        logs: null,
        rolled_back_at: null,
      },
    ]);
  });

  it("applies each migration once if four instances start at the same time", async () => {
    write("1_a", "CREATE TABLE a (id int); SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(1)");
    write("2_b", "INSERT INTO a VALUES (1)");
    write("3_c", "INSERT INTO a VALUES (2)");
    // The first migration waits until all other instances do.
    await client.query("SELECT pg_advisory_lock(1)");
    const applying = Promise.all([apply(), apply(), apply(), apply()]);
    const waiting = ["another instance is applying migrations; waiting for it"];
    await expect.poll(() => log.info.mock.calls).toEqual([waiting, waiting, waiting]);
    await client.query("SELECT pg_advisory_unlock(1)");
    const results = await applying;
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(["1_a", "2_b", "3_c"]);
    expect((await client.query("SELECT id FROM a ORDER BY id")).rows).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await rows()).toHaveLength(3);
  });

  it("rolls back a failing migration, keeps those before it, and reports its name, statement and position", async () => {
    write("1_a", "CREATE TABLE a (id int)");
    write(
      "2_b",
      "CREATE TABLE b (id int);\n\nALTER TABLE b ADD COLUMN ñ text;\nALTER TABLE b ADD COLUMN x nonsense;\n",
    );
    write("3_c", "CREATE TABLE c (id int)");
    const error = await apply().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MigrationError);
    expect((error as Error).message).toBe(
      'migration 2_b failed in statement 3 (line 4, column 28): type "nonsense" does not exist',
    );
    expect(await tables()).toEqual(["_prisma_migrations", "a"]);
    expect((await rows()).map((row) => row.migration_name)).toEqual(["1_a"]);
    write("2_b", "CREATE TABLE b (id int)");
    await expect(apply()).resolves.toEqual({ applied: ["2_b", "3_c"] });
  });

  it("reports the statement of an error without a position", async () => {
    write("1_a", "CREATE TABLE a (id int UNIQUE);\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (1);");
    await expect(apply()).rejects.toThrow(/^migration 1_a failed in statement 3: duplicate key/);
    expect(await tables()).toEqual([]);
  });

  it("rejects a migration that was changed after it had been applied, and applies nothing", async () => {
    write("1_a", "CREATE TABLE a (id int)");
    await apply();
    write("1_a", "CREATE TABLE a (id bigint)");
    write("2_b", "CREATE TABLE b (id int)");
    await expect(apply()).rejects.toThrow(/migration 1_a was changed after it had been applied/);
    expect(await tables()).toEqual(["_prisma_migrations", "a"]);
  });

  it("warns of applied migrations that are missing in the folder: the old version runs on the new schema", async () => {
    write("1_a", "CREATE TABLE a (id int)");
    write("2_newer", "CREATE TABLE b (id int)");
    await apply();
    rmSync(join(directory, "2_newer"), { recursive: true });
    await expect(apply()).resolves.toEqual({ applied: [] });
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("2_newer"));
  });

  it("rejects a database in which another tool did not finish a migration, until that is resolved", async () => {
    write("1_a", "CREATE TABLE a (id int)");
    await apply();
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', repeat('0', 64), '2_b')",
    );
    write("2_b", "CREATE TABLE b (id int)");
    await expect(apply()).rejects.toThrow(/2_b was started by another tool/);
    await client.query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = 'x'");
    await expect(apply()).resolves.toEqual({ applied: ["2_b"] });
  });

  it("continues after a kill -9 at each step, with no lock left and nothing applied in part", async () => {
    write("1_a", "CREATE TABLE a (id int)");
    write(
      "2_b",
      `SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(1); ALTER TABLE a ADD COLUMN b int;
       SELECT pg_advisory_xact_lock(2); INSERT INTO a VALUES (1, 2);
       SELECT pg_advisory_xact_lock(3)`,
    );
    write("3_c", "UPDATE a SET b = 3");
    const program = `import { applyMigrations } from ${JSON.stringify(join(import.meta.dirname, "migrations.ts"))};
      await applyMigrations({ connectionString: process.argv[1], directory: process.argv[2], log: { info() {}, warn() {} } });`;
    for (const step of [1, 2, 3]) {
      // The migration waits in this step while its process is killed.
      await client.query("SELECT pg_advisory_lock($1)", [step]);
      const start = spawn(process.execPath, ["--input-type=module", "--eval", program, database.url, directory], {
        stdio: "ignore",
      });
      await expect
        .poll(async () => {
          const waiting = await client.query(
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted",
            [step],
          );
          return waiting.rowCount;
        })
        .toBe(1);
      start.kill("SIGKILL");
      await once(start, "exit");
      await client.query("SELECT pg_advisory_unlock($1)", [step]);
      expect((await rows()).map((row) => row.migration_name)).toEqual(["1_a"]);
      expect((await client.query("SELECT * FROM a")).rows).toEqual([]);
    }
    await expect(apply()).resolves.toEqual({ applied: ["2_b", "3_c"] });
    expect((await client.query("SELECT * FROM a")).rows).toEqual([{ id: 1, b: 3 }]);
  });

  it("takes no lock if nothing is pending, so that a start does not wait for another instance's migration", async () => {
    write("1_a", "CREATE TABLE a (id int)");
    await apply();
    await client.query("BEGIN; SELECT pg_advisory_xact_lock(72707369)");
    await expect(apply()).resolves.toEqual({ applied: [] });
    await client.query("ROLLBACK");
  });

  it("is not limited by the statement timeout of the database", async () => {
    await client.query(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 1000', current_database()); END $$",
    );
    write("1_a", "SELECT pg_sleep(1.2)");
    await expect(apply()).resolves.toEqual({ applied: ["1_a"] });
  });

  it("lets others read a table while it waits for a backup that reads it", async () => {
    write("1_a", "CREATE TABLE a (id int)");
    await apply();
    write("2_b", "CREATE TABLE b (id int); ALTER TABLE a ADD COLUMN b int");
    await client.query("BEGIN; SELECT * FROM a");
    const tableLock = { timeoutMs: 20, retryMs: 20 };
    const applying = applyMigrations({ connectionString: database.url, directory, log, tableLock });
    await expect
      .poll(() => log.warn.mock.calls)
      .toEqual([[expect.stringMatching(/^a table is in use, .* migration 2_b/)]]);
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    expect((await reader.query("SELECT * FROM a")).rowCount).toBe(0);
    await reader.end();
    await client.query("COMMIT");
    await expect(applying).resolves.toEqual({ applied: ["2_b"] });
    expect(log.warn).toHaveBeenCalledOnce();
  });

  it("reports a folder without migration.sql", async () => {
    mkdirSync(join(directory, "1_empty"));
    await expect(apply()).rejects.toThrow("migration 1_empty has no readable migration.sql");
  });

  it("fails if the database cannot be reached, without the password in the message", async () => {
    const connectionString = "postgresql://slipway:top-secret@127.0.0.1:1/none";
    const error = await applyMigrations({ connectionString, directory, log }).catch((thrown: unknown) =>
      String(thrown),
    );
    expect(error).toMatch(/ECONNREFUSED/);
    expect(error).not.toContain("top-secret");
  });
});

describe("the project's own migrations", () => {
  it("apply to an empty database, with their checksums recorded", async () => {
    const own = join(import.meta.dirname, "../../prisma/migrations");
    const { applied } = await applyMigrations({ connectionString: database.url, directory: own, log });
    expect(applied.length).toBeGreaterThan(0);
    for (const row of await rows()) {
      const file = readFileSync(join(own, row.migration_name, "migration.sql"));
      expect(row.checksum).toBe(createHash("sha256").update(file).digest("hex"));
    }
    expect(await tables()).toContain("AuditRecord");
  });
});
