import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import { SEALED_COLUMNS } from "@/lib/keys/sealed-columns";
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

interface Place {
  environmentId: string;
  fileId: string;
}

async function aPlace(): Promise<Place> {
  const [appId, fileId, environmentId] = [newId(), newId(), newId()];
  await pool.query(`INSERT INTO "App" ("id", "name", "identifier") VALUES ($1, 'A', $2)`, [appId, `com.a${appId}`]);
  await pool.query(`INSERT INTO "Environment" ("id", "appId", "name", "identifiers") VALUES ($1, $2, 'one', '{}')`, [
    environmentId,
    appId,
  ]);
  await pool.query(
    `INSERT INTO "File" ("id", "storageKey", "name", "contentType", "purpose", "size", "sha256", "state")
     VALUES ($1, $2, 'a', 'b', 'installer', 10, repeat('a', 64), 'ready')`,
    [fileId, `installers/${fileId}`],
  );
  return { environmentId, fileId };
}

async function aRelease({ environmentId, fileId }: Place, kind: "ipa" | "apk", version: string, build = 1) {
  const id = newId();
  await pool.query(
    `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
       "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate")
     VALUES ($1, $2, $3, $4, $5, $6, 'a', 'A', 'd', true, $7, '{}', clock_timestamp())`,
    [id, environmentId, kind === "ipa" ? IOS : ANDROID, fileId, version, String(build), { kind }],
  );
  return id;
}

async function bin(id: string): Promise<void> {
  await pool.query(
    `WITH binned AS (
       INSERT INTO "BinnedRelease" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "displayName", "fileName",
         "size", "deployDate", "reason", "binnedAt", "expiresAt")
       SELECT "id", "environmentId", "platformId", "fileId", "version", "buildNumber", "displayName", 'a', "size", "deployDate",
         'deleted', now(), now() FROM "Release" WHERE "id" = $1
     ) SELECT 1`,
    [id],
  );
  await pool.query(`SELECT bin_release($1)`, [id]);
}

async function restore(id: string): Promise<void> {
  await pool.query(`SELECT restore_binned_rows($1)`, [id]);
  await pool.query(`DELETE FROM "BinnedRelease" WHERE "id" = $1`, [id]);
}

/** Everything that belongs to a release, as text. */
async function rowsOf(id: string): Promise<unknown> {
  const all = async (sql: string) => (await pool.query(sql, [id])).rows.map(({ row }) => row);
  return {
    release: await all(`SELECT to_jsonb(r)::text AS "row" FROM "Release" r WHERE "id" = $1`),
    downloads: await all(
      `SELECT to_jsonb(d)::text AS "row" FROM "ReleaseDownload" d WHERE "releaseId" = $1 ORDER BY "id"`,
    ),
    openings: await all(`SELECT to_jsonb(o)::text AS "row" FROM "ReleaseOpening" o WHERE "releaseId" = $1`),
    visits: await all(`SELECT to_jsonb(v)::text AS "row" FROM "InstallVisit" v WHERE "releaseId" = $1`),
    links: await all(`SELECT to_jsonb(l)::text AS "row" FROM "ShareLink" l WHERE "releaseId" = $1`),
  };
}

/** The numbers that triggers maintain, beside those that are computed from the rows. */
async function counts({ environmentId }: Place): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT (SELECT sum("change")::int FROM "ReleaseCount" WHERE "environmentId" = $1) AS "releases",
       (SELECT sum("change")::int FROM "DailyActivity" WHERE "environmentId" = $1 AND "kind" = 'release') AS "published",
       (SELECT sum("change")::int FROM "DailyActivity" WHERE "environmentId" = $1 AND "kind" = 'install') AS "installed",
       (SELECT json_object_agg("kind", "sums") FROM (
          SELECT "kind", ARRAY[sum("releases"), sum("bytes")] AS "sums" FROM "StorageCount" WHERE "environmentId" = $1 GROUP BY 1
        ) s) AS "storage"`,
    [environmentId],
  );
  return rows[0];
}

describe("a release in the bin", () => {
  it("is restored with the rows that referred to it, and nothing is counted twice", async () => {
    const place = await aPlace();
    const id = await aRelease(place, "ipa", "1.0");
    await aRelease(place, "apk", "2.0");
    for (const kind of ["install", "download"]) {
      await pool.query(
        `INSERT INTO "ReleaseDownload" ("id", "releaseId", "byLink", "kind") VALUES ($1, $2, false, $3)`,
        [newId(), id, kind],
      );
    }
    await pool.query(
      `INSERT INTO "InstallVisit" ("releaseId", "visitorId", "environmentId", "day", "lastAt") VALUES ($1, $2, $3, current_date, now())`,
      [id, newId(), place.environmentId],
    );
    await pool.query(`UPDATE "InstallVisit" SET "manifestAt" = now(), "begunAt" = now() WHERE "releaseId" = $1`, [id]);
    await pool.query(
      `INSERT INTO "ReleaseOpening" ("releaseId", "device", "firstOpenedAt", "lastOpenedAt") VALUES ($1, 'ios', now(), now())`,
      [id],
    );
    await pool.query(
      `INSERT INTO "ShareLink" ("id", "environmentId", "releaseId", "followsLatest", "name", "codeHash", "code", "onlyPhones", "showNotes")
       VALUES ($1, $2, $3, false, 'l', $4, '\\x01', false, true)`,
      [newId(), place.environmentId, id, Buffer.from(newId())],
    );
    const [before, counted] = [await rowsOf(id), await counts(place)];

    await bin(id);
    expect(await rowsOf(id)).toEqual({ release: [], downloads: [], openings: [], visits: [], links: [] });
    expect(await counts(place)).toMatchObject({
      releases: 1,
      published: 2,
      installed: 1,
      storage: { apk: [1, 10], bin: [1, 10] },
    });
    // The code of the link is sealed, and stays where the rotation of master keys finds it.
    const { rows } = await pool.query(
      `SELECT "row" FROM "BinnedRow" WHERE "releaseId" = $1 AND "table" = 'ShareLink'`,
      [id],
    );
    expect(rows.map(({ row }) => Object.keys(row).sort())).toEqual([["id", "releaseId"]]);

    await restore(id);
    expect(await rowsOf(id)).toEqual(before);
    expect(await counts(place)).toEqual(counted);
    expect((await pool.query(`SELECT 1 FROM "BinnedRow" WHERE "releaseId" = $1`, [id])).rowCount).toBe(0);
  });

  it("keeps its build, or joins the build that has its version by now", async () => {
    const place = await aPlace();
    const [alone, other] = [await aRelease(place, "ipa", "1.0"), await aRelease(place, "ipa", "2.0")];
    const buildOf = async (id: string) =>
      (await pool.query(`SELECT "buildId" FROM "Release" WHERE "id" = $1`, [id])).rows[0]?.buildId;
    const [first, second] = [await buildOf(alone), await buildOf(other)];
    await bin(alone);
    await bin(other);
    const newer = await aRelease(place, "apk", "2.0");
    await restore(alone);
    await restore(other);
    expect(await buildOf(alone)).toBe(first);
    expect(await buildOf(other)).toBe(await buildOf(newer));
    expect(await buildOf(other)).not.toBe(second);
    const { rows } = await pool.query(
      `SELECT sum("releases")::int AS "releases" FROM "Build" WHERE "environmentId" = $1 AND "platformId" = $2`,
      [place.environmentId, IOS],
    );
    expect(rows).toEqual([{ releases: 3 }]);
  });

  it("is restored without what was deleted in the meantime", async () => {
    const place = await aPlace();
    const id = await aRelease(place, "ipa", "1.0");
    const [userId, roleId] = [newId(), newId()];
    await pool.query(`INSERT INTO "Role" ("id", "name") VALUES ($1, $2)`, [roleId, roleId]);
    await pool.query(
      `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider") VALUES ($1, 'a', 'b', $2, $3, 'email')`,
      [userId, `${userId}@example.com`, roleId],
    );
    await pool.query(`UPDATE "Release" SET "createdByUser" = $2 WHERE "id" = $1`, [id, userId]);
    await bin(id);
    await pool.query(`DELETE FROM "User" WHERE "id" = $1`, [userId]);
    await restore(id);
    const { rows } = await pool.query(`SELECT "createdByUser" FROM "Release" WHERE "id" = $1`, [id]);
    expect(rows).toEqual([{ createdByUser: null }]);
  });

  it("is deleted with its environment", async () => {
    const place = await aPlace();
    await bin(await aRelease(place, "ipa", "1.0"));
    await pool.query(`DELETE FROM "Environment" WHERE "id" = $1`, [place.environmentId]);
    expect(
      (await pool.query(`SELECT 1 FROM "BinnedRelease" WHERE "environmentId" = $1`, [place.environmentId])).rowCount,
    ).toBe(0);
    expect(await counts(place)).toMatchObject({ storage: null });
  });

  it("keeps its file from being deleted by any statement", async () => {
    const place = await aPlace();
    await bin(await aRelease(place, "ipa", "1.0"));
    const removal = pool.query(`UPDATE "File" SET "state" = 'deleting' WHERE "id" = $1`, [place.fileId]);
    await expect(removal).rejects.toThrow(/is of a release in the bin/);
  });

  it("holds no sealed value, which the rotation of master keys would not find", async () => {
    const { rows } = await pool.query<{ table: string }>(
      `WITH RECURSIVE copied AS (
         SELECT '"Release"'::regclass::oid AS "id"
         UNION SELECT f.conrelid FROM pg_constraint f JOIN copied ON copied."id" = f.confrelid
         WHERE f.contype = 'f' AND f.confdeltype = 'c'
       ) SELECT c.relname AS "table" FROM copied JOIN pg_class c ON c.oid = copied."id"`,
    );
    const copied = rows.map(({ table }) => table);
    expect(copied).toEqual(expect.arrayContaining(["Release", "ReleaseDownload", "ReleaseOpening"]));
    expect(SEALED_COLUMNS.filter(({ table }) => copied.includes(table))).toEqual([]);
  });
});

describe("the bytes of an environment", () => {
  it("are counted under concurrent writers, and folded", async () => {
    const place = await aPlace();
    const ids = await Promise.all(Array.from({ length: 70 }, (_, index) => aRelease(place, "apk", `1.${index}`)));
    await Promise.all(ids.slice(0, 30).map(bin));
    await Promise.all(ids.slice(0, 10).map(restore));
    await pool.query(`UPDATE "Release" SET "installer" = '{"kind": "aab"}' WHERE "id" = $1`, [ids[69]]);
    expect(await counts(place)).toMatchObject({ storage: { apk: [49, 490], aab: [1, 10], bin: [20, 200] } });
    const { rowCount } = await pool.query(`SELECT 1 FROM "StorageCount" WHERE "environmentId" = $1`, [
      place.environmentId,
    ]);
    expect(rowCount).toBeLessThan(110);
  });
});
