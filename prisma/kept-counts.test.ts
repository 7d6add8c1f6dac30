import { randomInt } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import { writeBeside } from "@/lib/testing/beside";
import { createTestDatabase, openPool, type TestDatabase } from "@/scripts/test-database.ts";

const ROLE = "019a0000-0000-7000-8000-000000000001";
const IOS = "019a0000-0000-7000-8000-000000000011";
const ANDROID = "019a0000-0000-7000-8000-000000000012";

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

async function addUsers(client: Client, count: number): Promise<void> {
  await client.query(
    `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider", "status")
     SELECT gen_random_uuid(), 'Ada', 'Lovelace', gen_random_uuid() || '@example.test', $1, 'email',
            (ARRAY['active', 'inactive']::"Status"[])[1 + n % 2]
     FROM generate_series(1, $2::int) n`,
    [ROLE, count],
  );
}

/** The kept and the real numbers of users, by status, as one statement sees them. */
async function userNumbers(client: Client): Promise<{ kept: object; real: object }> {
  const { rows } = await client.query(
    `SELECT (SELECT coalesce(jsonb_object_agg("status", n), '{}') FROM (SELECT "status", sum("change") n FROM "UserCount"
             GROUP BY "status" HAVING sum("change") <> 0) k) AS "kept",
            (SELECT coalesce(jsonb_object_agg("status", n), '{}') FROM (SELECT "status", count(*) n FROM "User"
             GROUP BY "status") r) AS "real"`,
  );
  return rows[0];
}

/** Two environments of one app and the rows that a release refers to. */
async function aPlace(): Promise<{ appId: string; fileId: string; environmentIds: [string, string] }> {
  const [appId, fileId, one, two] = [newId(), newId(), newId(), newId()];
  await pool.query(`INSERT INTO "App" ("id", "name", "identifier") VALUES ($1, 'A', $2)`, [appId, `com.a${appId}`]);
  await pool.query(
    `INSERT INTO "Environment" ("id", "appId", "name", "identifiers") VALUES ($1, $3, 'one', '{}'), ($2, $3, 'two', '{}')`,
    [one, two, appId],
  );
  await pool.query(
    `INSERT INTO "File" ("id", "storageKey", "name", "contentType", "purpose") VALUES ($1, $2, 'a', 'b', 'installer')`,
    [fileId, `installers/${fileId}`],
  );
  return { appId, fileId, environmentIds: [one, two] };
}

async function addReleases(
  client: Client,
  {
    fileId,
    environmentId,
    platformId,
    count,
    version = "1",
  }: Record<"fileId" | "environmentId" | "platformId", string> & { count: number; version?: string },
): Promise<void> {
  await client.query(
    `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
       "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate")
     SELECT gen_random_uuid(), $1, $2, $3, $5, '1', 'a', 'A', 'd', true, '{}', '{}', now() FROM generate_series(1, $4::int)`,
    [environmentId, platformId, fileId, count, version],
  );
}

async function releaseNumbers(client: Client, environmentId: string): Promise<Record<string, number>> {
  const { rows } = await client.query<{ platformId: string; n: number }>(
    `SELECT "platformId", sum("change")::int AS n FROM "ReleaseCount" WHERE "environmentId" = $1 GROUP BY 1 HAVING sum("change") <> 0`,
    [environmentId],
  );
  return Object.fromEntries(rows.map(({ platformId, n }) => [platformId, n]));
}

describe("the kept number of rows", () => {
  it("is that of the table at every moment, while many insert, change, delete and take back at once", async () => {
    let over = false;
    const writer = async () => {
      const client = await pool.connect();
      try {
        for (let round = 0; round < 60; round++) {
          await client.query("BEGIN");
          const what = randomInt(4);
          if (what <= 1) await addUsers(client, randomInt(1, 4));
          const some = `SELECT "id" FROM "User" ORDER BY random() LIMIT 2 FOR UPDATE SKIP LOCKED`;
          if (what === 2) await client.query(`DELETE FROM "User" WHERE "id" IN (${some})`);
          if (what === 3) {
            await client.query(
              `UPDATE "User" SET "status" = CASE "status" WHEN 'active' THEN 'inactive' ELSE 'active' END::"Status" WHERE "id" IN (${some})`,
            );
          }
          await client.query(randomInt(4) === 0 ? "ROLLBACK" : "COMMIT");
        }
      } finally {
        client.release();
      }
    };
    const reader = async () => {
      let looks = 0;
      for (; !over; looks++) {
        const { kept, real } = await userNumbers(pool);
        expect(kept).toEqual(real);
      }
      return looks;
    };
    const reading = reader();
    await Promise.all(Array.from({ length: 8 }, writer)).finally(() => {
      over = true;
    });
    expect(await reading).toBeGreaterThan(0);
    const { kept, real } = await userNumbers(pool);
    expect(kept).toEqual(real);
    // Folded: far fewer rows than changes were made.
    const { rows } = await pool.query(`SELECT count(*)::int AS n FROM "UserCount"`);
    expect(rows[0].n).toBeLessThan(150);
  });

  it("makes nobody wait for somebody who has inserted another version and not committed yet", async () => {
    const place = await aPlace();
    const release = { fileId: place.fileId, environmentId: place.environmentIds[0], platformId: IOS };
    await addReleases(pool, { ...release, count: 1 });
    // More than are kept apart: both connections fold.
    const add = async (client: pg.PoolClient, version?: string) => {
      for (let index = 0; index < 60; index++) await addReleases(client, { ...release, count: 1, version });
    };
    await writeBeside(pool, add, (client) => add(client, "2"));
    expect(await releaseNumbers(pool, release.environmentId)).toEqual({ [IOS]: 121 });
  });

  it("follows releases through platforms and environments, and to their end with an app", async () => {
    const { appId, fileId, environmentIds } = await aPlace();
    const [one, two] = environmentIds;
    await addReleases(pool, { fileId, environmentId: one, platformId: IOS, count: 3 });
    await addReleases(pool, { fileId, environmentId: one, platformId: ANDROID, count: 2 });
    await pool.query(
      `UPDATE "Release" SET "environmentId" = $2 WHERE "id" IN (SELECT "id" FROM "Release" WHERE "environmentId" = $1 AND "platformId" = $3 LIMIT 1)`,
      [one, two, IOS],
    );
    expect(await releaseNumbers(pool, one)).toEqual({ [IOS]: 2, [ANDROID]: 2 });
    expect(await releaseNumbers(pool, two)).toEqual({ [IOS]: 1 });
    await pool.query(`UPDATE "Release" SET "description" = 'x' WHERE "environmentId" = $1`, [one]);
    expect(await releaseNumbers(pool, one)).toEqual({ [IOS]: 2, [ANDROID]: 2 });
    await pool.query(`DELETE FROM "App" WHERE "id" = $1`, [appId]);
    const { rows } = await pool.query(`SELECT * FROM "ReleaseCount" WHERE "environmentId" = ANY($1)`, [environmentIds]);
    expect(rows).toEqual([]);
  });

  it("is none after a table was emptied", async () => {
    const { fileId, environmentIds } = await aPlace();
    await addReleases(pool, { fileId, environmentId: environmentIds[0], platformId: IOS, count: 3 });
    await pool.query(`TRUNCATE "Release" CASCADE`);
    expect(await releaseNumbers(pool, environmentIds[0])).toEqual({});
  });
});

describe.each([
  ["DevVariable", `'v'`],
  ["SecureVariable", `convert_to(repeat('v', 100), 'UTF8')`],
])("the kept number of rows of %s", (table, value) => {
  it("follows inserts, changes of many rows, deletions and rollbacks", async () => {
    const { environmentIds } = await aPlace();
    const [environmentId] = environmentIds;
    const numbers = async () => {
      const { rows } = await pool.query<{ status: string; n: number }>(
        `SELECT "status", sum("change")::int AS n FROM "${table}Count" WHERE "environmentId" = $1 GROUP BY 1 ORDER BY 1`,
        [environmentId],
      );
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    };
    const add = (client: Client, from: number, to: number) =>
      client.query(
        `INSERT INTO "${table}" ("id", "environmentId", "name", "key", "value", "version", "updatedAt")
         SELECT gen_random_uuid(), $1, 'N', 'K' || n, ${value}, 1, now() FROM generate_series($2::int, $3::int) n`,
        [environmentId, from, to],
      );
    await add(pool, 1, 1_000);
    expect(await numbers()).toEqual({ active: 1_000 });
    const where = `WHERE "environmentId" = '${environmentId}'`;
    await pool.query(`UPDATE "${table}" SET "name" = 'other' ${where}`);
    expect(await numbers()).toEqual({ active: 1_000 });
    await pool.query(`UPDATE "${table}" SET "status" = 'inactive' ${where} AND "key" LIKE 'K1%'`);
    expect(await numbers()).toEqual({ active: 888, inactive: 112 });
    const client = await pool.connect();
    await client.query("BEGIN");
    await add(client, 2_000, 2_100);
    await client.query("ROLLBACK");
    client.release();
    for (let n = 3_000; n < 3_100; n++) await add(pool, n, n);
    expect(await numbers()).toEqual({ active: 988, inactive: 112 });
    const { rows } = await pool.query(`SELECT count(*)::int AS n FROM "${table}Count"`);
    expect(rows[0].n).toBeLessThan(70);
    await pool.query(`DELETE FROM "${table}" ${where} AND "status" = 'inactive'`);
    expect(await numbers()).toEqual({ active: 988 });
    await pool.query(`DELETE FROM "Environment" WHERE "id" = $1`, [environmentId]);
    expect(await numbers()).toEqual({});
  });
});
