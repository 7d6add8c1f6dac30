import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import { createTestDatabase, openPool, type TestDatabase } from "@/scripts/test-database.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool({ connectionString: database.url, max: 12 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Client = Pick<pg.PoolClient, "query">;

async function anEnvironment(): Promise<string> {
  const [appId, id] = [newId(), newId()];
  await pool.query(`INSERT INTO "App" ("id", "name", "identifier") VALUES ($1, 'A', $2)`, [appId, `com.a${appId}`]);
  await pool.query(`INSERT INTO "Environment" ("id", "appId", "name", "identifiers") VALUES ($1, $2, 'one', '{}')`, [
    id,
    appId,
  ]);
  return id;
}

async function addVersion(client: Client, environmentId: string): Promise<number> {
  const { rows } = await client.query(
    `INSERT INTO "ConfigurationVersion" ("environmentId", "number", "at", "changeCount") VALUES ($1, 0, now(), 1)
     RETURNING "number"`,
    [environmentId],
  );
  return rows[0].number;
}

async function addVariable(environmentId: string, row: { key?: string; value?: string } = {}): Promise<void> {
  await pool.query(
    `INSERT INTO "DevVariable" ("id", "environmentId", "name", "key", "value", "version", "updatedAt")
     VALUES ($1, $2, 'N', $3, $4, 1, now())`,
    [newId(), environmentId, row.key ?? "KEY", row.value ?? "value"],
  );
}

async function addSecret(environmentId: string, key = "KEY"): Promise<string> {
  const id = newId();
  await pool.query(
    `INSERT INTO "ConfigurationSecret" ("id", "environmentId", "kind", "key", "value")
     VALUES ($1, $2, 'secure-variable', $3, '\\x00')`,
    [id, environmentId, key],
  );
  return id;
}

async function addChange(
  environmentId: string,
  change: { kind?: string; action?: string; value?: string | null; secretId?: string; key?: string; status?: string },
): Promise<string> {
  const id = newId();
  const { kind = "dev-variable", action = "create", key = "KEY", value = null, secretId = null } = change;
  await pool.query(
    `INSERT INTO "ConfigurationChange"
       ("id", "environmentId", "version", "kind", "key", "action", "name", "status", "value", "secretId")
     VALUES ($1, $2, 1, $3, $4, $5::"ConfigurationAction", 'N', $6::"Status", $7, $8)`,
    [id, environmentId, kind, key, action, change.status ?? null, value, secretId],
  );
  return id;
}

describe("the numbers of an environment's versions", () => {
  it("are 1 to n without gaps, under parallel and rolled back transactions", async () => {
    const environmentId = await anEnvironment();
    await addVersion(pool, await anEnvironment());
    const kept = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const client = await pool.connect();
        try {
          await client.query("BEGIN");
          const number = await addVersion(client, environmentId);
          const keep = index % 3 !== 0;
          await client.query(keep ? "COMMIT" : "ROLLBACK");
          return keep ? [number] : [];
        } finally {
          client.release();
        }
      }),
    );
    const expected = Array.from({ length: 40 }, (_, index) => index + 1);
    expect(kept.flat().sort((a, b) => a - b)).toEqual(expected);
    const { rows } = await pool.query(`SELECT "configurationVersion" FROM "Environment" WHERE "id" = $1`, [
      environmentId,
    ]);
    expect(rows[0].configurationVersion).toBe(40);
  });

  it("are given by the database, not by the writer", async () => {
    const environmentId = await anEnvironment();
    await pool.query(
      `INSERT INTO "ConfigurationVersion" ("environmentId", "number", "at", "changeCount") VALUES ($1, 7, now(), 1)`,
      [environmentId],
    );
    const { rows } = await pool.query(`SELECT "number" FROM "ConfigurationVersion" WHERE "environmentId" = $1`, [
      environmentId,
    ]);
    expect(rows).toEqual([{ number: 1 }]);
  });
});

describe("a variable's row", () => {
  it.each(["A", "_", "a.b-c_9", "A".repeat(128)])("takes the key %s", async (key) => {
    await addVariable(await anEnvironment(), { key });
  });

  it.each(["", "9A", "-A", ".A", "A B", "Ä", "AÄ", "A\n", "A=B", "A".repeat(129)])(
    "refuses the key %j",
    async (key) => {
      await expect(addVariable(await anEnvironment(), { key })).rejects.toThrow(/DevVariable_key_form|too long/);
    },
  );

  it("takes a value of 64 KiB in UTF-8 and refuses one byte more", async () => {
    const environmentId = await anEnvironment();
    await addVariable(environmentId, { key: "MOST", value: "é".repeat(32_768) });
    await expect(addVariable(environmentId, { key: "MORE", value: `${"é".repeat(32_768)}x` })).rejects.toThrow(
      /DevVariable_value_size/,
    );
  });

  it("has a key of its own in its environment, in exact case", async () => {
    const environmentId = await anEnvironment();
    await addVariable(environmentId, { key: "KEY" });
    await addVariable(environmentId, { key: "key" });
    await addVariable(await anEnvironment(), { key: "KEY" });
    await expect(addVariable(environmentId, { key: "KEY" })).rejects.toThrow(/DevVariable_environmentId_key_key/);
  });
});

describe("the history", () => {
  it("is not rewritten", async () => {
    const environmentId = await anEnvironment();
    await addVersion(pool, environmentId);
    const id = await addChange(environmentId, { status: "active", value: "v" });
    await expect(pool.query(`UPDATE "ConfigurationChange" SET "value" = 'x' WHERE "id" = $1`, [id])).rejects.toThrow(
      /not rewritten/,
    );
  });

  it("refuses a secret of another environment or key", async () => {
    const [environmentId, other] = [await anEnvironment(), await anEnvironment()];
    await addVersion(pool, environmentId);
    const change = { kind: "secure-variable", status: "active" };
    for (const secretId of [await addSecret(other), await addSecret(environmentId, "OTHER")]) {
      await expect(addChange(environmentId, { ...change, secretId })).rejects.toThrow(/secretId_.*_fkey/);
    }
    await addChange(environmentId, { ...change, secretId: await addSecret(environmentId) });
  });

  it.each([
    ["a development variable without a value", { status: "active" }],
    ["a secure variable with a plain value", { kind: "secure-variable", status: "active", value: "v" }],
    ["a deletion with a value", { action: "delete", value: "v" }],
    ["a creation without a status", { value: "v" }],
    ["another kind", { kind: "variable", status: "active", value: "v" }],
  ])("refuses %s", async (_what, change) => {
    const environmentId = await anEnvironment();
    await addVersion(pool, environmentId);
    await expect(addChange(environmentId, change)).rejects.toThrow(/violates check constraint/);
  });

  it("goes with its environment", async () => {
    const environmentId = await anEnvironment();
    await addVersion(pool, environmentId);
    await addVariable(environmentId);
    await addChange(environmentId, { status: "active", value: "v" });
    const secretId = await addSecret(environmentId, "SECRET");
    await addChange(environmentId, { kind: "secure-variable", key: "SECRET", status: "active", secretId });
    await pool.query(`DELETE FROM "Environment" WHERE "id" = $1`, [environmentId]);
    for (const table of ["DevVariable", "ConfigurationVersion", "ConfigurationChange", "ConfigurationSecret"]) {
      const { rows } = await pool.query(`SELECT 1 FROM "${table}" WHERE "environmentId" = $1`, [environmentId]);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});
