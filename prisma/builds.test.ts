import { globSync, readFileSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import { createTestDatabase, openPool, type TestDatabase } from "@/scripts/test-database.ts";

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

/** Two environments of an app and a file. */
async function aPlace(): Promise<{ appId: string; fileId: string; one: string; two: string }> {
  const [appId, fileId, one, two] = [newId(), newId(), newId(), newId()];
  await pool.query(`INSERT INTO "App" ("id", "name", "identifier") VALUES ($1, 'A', $2)`, [appId, `com.a${appId}`]);
  await pool.query(
    `INSERT INTO "Environment" ("id", "appId", "name", "identifiers") VALUES ($1, $3, 'one', '{}'), ($2, $3, 'two', '{}')`,
    [one, two, appId],
  );
  await pool.query(
    `INSERT INTO "File" ("id", "storageKey", "name", "contentType", "purpose", "size") VALUES ($1, $2, 'a', 'b', 'installer', 10)`,
    [fileId, `installers/${fileId}`],
  );
  return { appId, fileId, one, two };
}

type Kind = "ipa" | "apk" | "aab";

async function publish(
  { environmentId, fileId }: { environmentId: string; fileId: string },
  kind: Kind,
  version: string,
  build: number,
  commit?: string,
): Promise<string> {
  const id = newId();
  const metadata = commit ? { gitCommit: commit } : {};
  await pool.query(
    `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
       "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate")
     VALUES ($1, $2, $3, $4, $5, $6, 'a', 'A', 'd', true, $7, $8, clock_timestamp())`,
    [id, environmentId, kind === "ipa" ? IOS : ANDROID, fileId, version, String(build), { kind }, metadata],
  );
  return id;
}

/** The builds of an environment, each as its releases, in no particular order. */
async function buildsOf(environmentId: string): Promise<string[]> {
  const { rows } = await pool.query<{ build: string }>(
    `SELECT string_agg(concat("installer"->>'kind', ' ', "version", ' ', "buildNumber"), ', '
       ORDER BY "installer"->>'kind', "version", "buildNumber") AS "build"
     FROM "Release" WHERE "environmentId" = $1 GROUP BY "buildId"`,
    [environmentId],
  );
  return rows.map(({ build }) => build).sort();
}

/** Fails unless the rows of all builds are what their releases say. */
async function expectSettled(): Promise<void> {
  const { rows } = await pool.query(
    `WITH real AS (
       SELECT "buildId" AS "id", p."platformId", "environmentId", max("version") AS "version"
       FROM "Release" r CROSS JOIN LATERAL (VALUES (r."platformId"), ('00000000-0000-0000-0000-000000000000')) p("platformId")
       GROUP BY 1, 2, 3
     ), full_rows AS (
       SELECT real.*, (SELECT max("deployDate") FROM "Release" WHERE "buildId" = real."id") AS "deployDate",
         (SELECT sum("size")::bigint FROM "Release" WHERE "buildId" = real."id") AS "size",
         (SELECT count(*)::int FROM "Release" WHERE "buildId" = real."id") AS "releases" FROM real
     ), kept AS (SELECT "id", "platformId", "environmentId", "version", "deployDate", "size", "releases" FROM "Build")
     (SELECT * FROM kept EXCEPT SELECT * FROM full_rows) UNION ALL (SELECT * FROM full_rows EXCEPT SELECT * FROM kept)`,
  );
  expect(rows).toEqual([]);
  const { rows: counts } = await pool.query(
    `SELECT "environmentId", "platformId", count(*) FROM "Build" GROUP BY 1, 2
     EXCEPT SELECT "environmentId", "platformId", sum("change") FROM "BuildCount" GROUP BY 1, 2`,
  );
  expect(counts).toEqual([]);
}

describe("the builds of releases", () => {
  it("follow them through insertions, changes, platforms, environments, deletions and an emptied table", async () => {
    const { appId, fileId, one, two } = await aPlace();
    const place = { environmentId: one, fileId };
    const ids = [
      await publish(place, "ipa", "1", 1),
      await publish(place, "apk", "1", 1),
      await publish(place, "ipa", "1", 2, "c"),
      await publish(place, "apk", "1", 9, "c"),
    ];
    await expectSettled();
    expect(await buildsOf(one)).toEqual(["apk 1 1, ipa 1 1", "apk 1 9, ipa 1 2"]);
    await pool.query(`UPDATE "Release" SET "size" = 99, "deployDate" = now() WHERE "id" = $1`, [ids[0]]);
    await expectSettled();
    await pool.query(`UPDATE "Release" SET "environmentId" = $2 WHERE "id" = $1`, [ids[1], two]);
    await pool.query(`UPDATE "Release" SET "platformId" = $2 WHERE "id" = $1`, [ids[3], IOS]);
    await pool.query(`UPDATE "Release" SET "version" = '2' WHERE "environmentId" = $1`, [one]);
    await expectSettled();
    await pool.query(`DELETE FROM "Release" WHERE "id" = ANY($1)`, [[ids[0], ids[2]]]);
    await expectSettled();
    await pool.query(`DELETE FROM "App" WHERE "id" = $1`, [appId]);
    await expectSettled();
    await pool.query(`TRUNCATE "Release" CASCADE`);
    expect((await pool.query(`SELECT FROM "Build"`)).rowCount).toBe(0);
  });

  it("are settled although their last release is deleted while another one is published", async () => {
    const { fileId, one } = await aPlace();
    const place = { environmentId: one, fileId };
    for (let round = 0; round < 20; round++) {
      const id = await publish(place, "ipa", "1", round);
      await Promise.all([
        pool.query(`DELETE FROM "Release" WHERE "id" = $1`, [id]),
        publish(place, "apk", "1", round),
        publish(place, "aab", "1", round),
      ]);
      await expectSettled();
    }
  });

  it("are the same when the migration fills them from the releases", async () => {
    await pool.query(`TRUNCATE "Release" CASCADE`);
    const { fileId, one, two } = await aPlace();
    for (const environmentId of [one, two]) {
      const place = { environmentId, fileId };
      await publish(place, "ipa", "1", 1);
      await publish(place, "apk", "1", 1);
      await publish(place, "ipa", "2", 12, "a");
      await publish(place, "apk", "2", 340, "a");
      await publish(place, "aab", "2", 340);
      await publish(place, "ipa", "2", 13, "a");
      await publish(place, "apk", "2", 341, "b");
      await publish(place, "apk", "3", 341, "a");
    }
    const before = [await buildsOf(one), await buildsOf(two)];
    expect(before[0]).toHaveLength(5);
    const [file] = globSync("prisma/migrations/*_builds/migration.sql");
    const migration = readFileSync(file as string, "utf8");
    const part = (from: string, to: string) => migration.slice(migration.indexOf(from), migration.indexOf(to));
    await pool.query(part('UPDATE "Release" r SET "buildId" = b."id"', 'ALTER TABLE "Release" ALTER COLUMN'));
    await pool.query(part("DO $$", "-- Chooses the build"));
    expect([await buildsOf(one), await buildsOf(two)]).toEqual(before);
    await expectSettled();
  });
});
