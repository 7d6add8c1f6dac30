import { readFileSync } from "node:fs";
import type pg from "pg";
import { NIL as ALL } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import { writeBeside } from "@/lib/testing/beside";
import { createTestDatabase, openPool, type TestDatabase } from "@/scripts/test-database.ts";

const IOS = "019a0000-0000-7000-8000-000000000011";

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

/** An environment and a file for its releases. */
async function aPlace(): Promise<{ appId: string; environmentId: string; fileId: string }> {
  const [appId, environmentId, fileId] = [newId(), newId(), newId()];
  await pool.query(`INSERT INTO "App" ("id", "name", "identifier") VALUES ($1, 'A', $2)`, [appId, `com.a${appId}`]);
  await pool.query(`INSERT INTO "Environment" ("id", "appId", "name", "identifiers") VALUES ($1, $2, 'one', '{}')`, [
    environmentId,
    appId,
  ]);
  await pool.query(
    `INSERT INTO "File" ("id", "storageKey", "name", "contentType", "purpose") VALUES ($1, $2, 'a', 'b', 'installer')`,
    [fileId, `installers/${fileId}`],
  );
  return { appId, environmentId, fileId };
}

/** Publishes a release. @returns its ID */
async function publish(
  { environmentId, fileId }: { environmentId: string; fileId: string },
  at: string,
  client: Client = pool,
  version = "1",
): Promise<string> {
  const id = newId();
  await client.query(
    `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
       "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate")
     VALUES ($1, $2, $3, $4, $6, '1', 'a', 'A', 'd', true, '{}', '{}', $5)`,
    [id, environmentId, IOS, fileId, at, version],
  );
  return id;
}

/** Somebody comes to install a release, and fetches its file. @returns the visitor's ID */
async function fetchFile(
  releaseId: string,
  kind: "install" | "download",
  at: string,
  client: Client = pool,
): Promise<string> {
  const visitorId = newId();
  await client.query(
    `INSERT INTO "InstallVisit" ("releaseId", "visitorId", "environmentId", "lastAt")
     SELECT "id", $2, "environmentId", $3 FROM "Release" WHERE "id" = $1`,
    [releaseId, visitorId, at],
  );
  await goOn(visitorId, { kind, at }, client);
  return visitorId;
}

/** A visit goes on, as `writeVisits` writes it. */
async function goOn(
  visitorId: string,
  {
    kind,
    at,
    os = "desktop",
    osVersion = null,
  }: { kind: "open" | "install" | "download"; at: string; os?: string; osVersion?: string | null },
  client: Client = pool,
): Promise<void> {
  await client.query(
    `UPDATE "InstallVisit" SET "day" = coalesce("day", ($2::timestamptz AT TIME ZONE 'UTC')::date), "openedAt" = coalesce("openedAt", $2),
       "manifestAt" = CASE WHEN $3 = 'install' THEN $2::timestamptz ELSE "manifestAt" END,
       "begunAt" = CASE WHEN $3 <> 'open' THEN $2::timestamptz ELSE "begunAt" END, "os" = $4::"DeviceKind", "osVersion" = $5
     WHERE "visitorId" = $1`,
    [visitorId, at, kind, os, osVersion],
  );
}

/** A download as it was counted before there were visits. */
async function download(
  releaseId: string,
  kind: "install" | "download",
  at: string,
  {
    userId = null,
    byLink = true,
    userAgent = null,
  }: Partial<Record<"userId" | "userAgent", string | null>> & {
    byLink?: boolean;
  } = {},
): Promise<void> {
  await pool.query(
    `INSERT INTO "ReleaseDownload" ("id", "releaseId", "at", "byLink", "kind", "userId", "userAgent") VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [newId(), releaseId, at, byLink, kind, userId, userAgent],
  );
}

/** The kept numbers of an environment as `day kind` → number. */
async function kept(environmentId: string): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ of: string; n: number }>(
    `SELECT "day"::text || ' ' || "kind" AS "of", sum("change")::int AS n FROM "DailyActivity" WHERE "environmentId" = $1
     GROUP BY 1 ORDER BY 1`,
    [environmentId],
  );
  return Object.fromEntries(rows.map(({ of, n }) => [of, n]));
}

async function rowCount(environmentId: string): Promise<number> {
  const { rows } = await pool.query(`SELECT count(*)::int AS n FROM "DailyActivity" WHERE "environmentId" = $1`, [
    environmentId,
  ]);
  return rows[0].n;
}

describe("the daily activity", () => {
  it("counts releases, installs and downloads on their day in UTC, in their environment and in all", async () => {
    const [one, two] = [await aPlace(), await aPlace()];
    // 23:30 in Lisbon in summer is 22:30 in UTC; half past midnight in Berlin is the day before in UTC.
    const release = await publish(one, "2025-06-10T23:30:00+01:00");
    await publish(two, "2025-06-11T00:30:00+02:00");
    await fetchFile(release, "install", "2025-06-11T00:00:00Z");
    await fetchFile(release, "install", "2025-06-11T23:59:59.999Z");
    await fetchFile(release, "download", "2025-06-12T00:00:00Z");
    expect(await kept(one.environmentId)).toEqual({
      "2025-06-10 release": 1,
      "2025-06-11 install": 2,
      "2025-06-11 latestInstall": 2,
      "2025-06-12 download": 1,
    });
    expect(await kept(two.environmentId)).toEqual({ "2025-06-10 release": 1 });
    expect(await kept(ALL)).toMatchObject({ "2025-06-10 release": 2, "2025-06-11 install": 2 });
  });

  it("keeps what happened when a release is deleted, and forgets an environment that is deleted", async () => {
    const place = await aPlace();
    const release = await publish(place, "2025-05-01T12:00:00Z");
    await fetchFile(release, "install", "2025-05-01T12:00:00Z");
    await pool.query(`DELETE FROM "Release" WHERE "id" = $1`, [release]);
    expect(await kept(place.environmentId)).toEqual({
      "2025-05-01 release": 1,
      "2025-05-01 install": 1,
      "2025-05-01 latestInstall": 1,
    });
    await pool.query(`DELETE FROM "App" WHERE "id" = $1`, [place.appId]);
    expect(await kept(place.environmentId)).toEqual({});
    expect(await kept(ALL)).toMatchObject({ "2025-05-01 release": 1, "2025-05-01 install": 1 });
  });

  it("is complete after many have written at once, some of them in vain, and stays short", async () => {
    const place = await aPlace();
    const release = await publish(place, "2025-04-01T12:00:00Z");
    let committed = 0;
    const writer = async () => {
      const client = await pool.connect();
      try {
        for (let round = 0; round < 40; round++) {
          await client.query("BEGIN");
          await fetchFile(release, "install", "2025-04-02T12:00:00Z", client);
          const isCommitted = round % 4 !== 0;
          await client.query(isCommitted ? "COMMIT" : "ROLLBACK");
          if (isCommitted) committed += 1;
        }
      } finally {
        client.release();
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    expect((await kept(place.environmentId))["2025-04-02 install"]).toBe(committed);
    expect(await rowCount(place.environmentId)).toBeLessThan(60);
  });

  it("makes no transaction wait for one that has counted another version and not committed yet", async () => {
    const place = await aPlace();
    const add = async (client: pg.PoolClient, version?: string) => {
      for (let index = 0; index < 25; index++) await publish(place, "2025-03-01T12:00:00Z", client, version);
    };
    await writeBeside(pool, add, (client) => add(client, "2"));
    expect(await kept(place.environmentId)).toEqual({ "2025-03-01 release": 50 });
  });

  it("has one row for each environment, day and kind once the day is over", async () => {
    const place = await aPlace();
    for (let index = 0; index < 5; index++) await publish(place, "2025-02-01T12:00:00Z");
    await pool.query(`SELECT fold_past_activity('2025-02-01')`);
    expect(await rowCount(place.environmentId)).toBe(5);
    await pool.query(`SELECT fold_past_activity('2025-02-02')`);
    expect(await rowCount(place.environmentId)).toBe(1);
    expect(await kept(place.environmentId)).toEqual({ "2025-02-01 release": 5 });
  });

  it("counts installs of the latest build of their platform once more, as it was at that moment", async () => {
    const place = await aPlace();
    const at = (day: number) => `2025-07-0${day}T12:00:00Z`;
    const first = await publish(place, at(1));
    await fetchFile(first, "install", at(1));
    await fetchFile(first, "download", at(1));
    const second = await publish(place, at(2), pool, "2");
    await fetchFile(first, "install", at(2));
    await fetchFile(second, "install", at(2));
    // A lower version that is published later is not the latest one.
    const fix = await publish(place, at(3), pool, "1.5");
    await fetchFile(fix, "install", at(3));
    await fetchFile(second, "install", at(3));
    expect(await kept(place.environmentId)).toMatchObject({
      "2025-07-01 install": 1,
      "2025-07-01 latestInstall": 1,
      "2025-07-02 install": 2,
      "2025-07-02 latestInstall": 1,
      "2025-07-03 install": 2,
      "2025-07-03 latestInstall": 1,
    });
  });

  it("counts a visit once and on its day, moves it if it goes on in another way, and knows its system", async () => {
    const place = await aPlace();
    const release = await publish(place, "2025-08-01T12:00:00Z");
    const visitor = await fetchFile(release, "download", "2025-08-01T23:00:00Z");
    expect(await kept(place.environmentId)).toMatchObject({ "2025-08-01 download": 1 });
    const later = { at: "2025-08-02T01:00:00Z", os: "ios" };
    for (const osVersion of ["17.5", "18.0.1"]) await goOn(visitor, { ...later, kind: "install", osVersion });
    await goOn(visitor, { ...later, kind: "open", osVersion: "18.0.1" });
    expect(await kept(place.environmentId)).toEqual({
      "2025-08-01 release": 1,
      "2025-08-01 download": 0,
      "2025-08-01 install": 1,
      "2025-08-01 latestInstall": 1,
    });
    const { rows } = await pool.query(
      `SELECT "day"::text AS "day", "device", "system", sum("change")::int AS "n" FROM "DailyOpening" WHERE "environmentId" = $1
       GROUP BY 1, 2, 3 HAVING sum("change") <> 0`,
      [place.environmentId],
    );
    expect(rows).toEqual([{ day: "2025-08-01", device: "ios", system: "18", n: 1 }]);
  });

  it("counts a visit that is inserted with its steps, and not one that a release from the bin brings back", async () => {
    const place = await aPlace();
    const release = await publish(place, "2025-09-01T12:00:00Z");
    const insert = (client: Client) =>
      client.query(
        `INSERT INTO "InstallVisit" ("releaseId", "visitorId", "environmentId", "day", "os", "openedAt", "begunAt", "lastAt")
         VALUES ($1, $2, $3, '2025-09-01', 'android', now(), now(), now())`,
        [release, newId(), place.environmentId],
      );
    await insert(pool);
    const client = await pool.connect();
    try {
      await client.query("BEGIN; SET LOCAL slipway.restoring = 'on'");
      await insert(client);
      await client.query("COMMIT");
    } finally {
      client.release();
    }
    expect(await kept(place.environmentId)).toEqual({ "2025-09-01 release": 1, "2025-09-01 download": 1 });
    const opened = await pool.query(`SELECT sum("change")::int AS "n" FROM "DailyOpening" WHERE "environmentId" = $1`, [
      place.environmentId,
    ]);
    expect(opened.rows).toEqual([{ n: 1 }]);
  });

  it("counts the installs before the migration as of the latest build until another one is published", async () => {
    const place = await aPlace();
    const now = Date.now();
    const at = (daysAgo: number) => new Date(now - daysAgo * 86_400_000).toISOString();
    const first = await publish(place, at(20));
    const second = await publish(place, at(10), pool, "2");
    for (const daysAgo of [15, 5, 4]) await download(first, "install", at(daysAgo));
    for (const daysAgo of [8, 7]) await download(second, "install", at(daysAgo));
    const migration = readFileSync("prisma/migrations/20261125214100_adoption/migration.sql", "utf8");
    await pool.query(migration.slice(migration.lastIndexOf('INSERT INTO "DailyActivity"')).split(";")[0] as string);
    const latest = Object.entries(await kept(place.environmentId)).filter(([of]) => of.endsWith("latestInstall"));
    expect(latest).toEqual([15, 8, 7].map((daysAgo) => [`${at(daysAgo).slice(0, 10)} latestInstall`, 1]));
  });

  it("is the same when the migration fills it from the tables", async () => {
    await pool.query(`TRUNCATE "Release" CASCADE`);
    expect(await rowCount(ALL)).toBe(0);
    const place = await aPlace();
    const release = await publish(place, "2025-01-01T12:00:00Z");
    await publish(place, "2025-01-02T23:59:59Z");
    await download(release, "install", "2025-01-02T12:00:00Z");
    await download(release, "download", "2025-01-02T12:00:00Z");
    const fetched = { "2025-01-02 install": 1, "2025-01-02 download": 1 };
    const before = [await kept(place.environmentId), await kept(ALL)].map((days) => ({ ...days, ...fetched }));
    const migration = readFileSync("prisma/migrations/20261122121500_daily_activity/migration.sql", "utf8");
    const fill = migration.slice(migration.lastIndexOf('INSERT INTO "DailyActivity"')).split(";")[0] as string;
    await pool.query(`DELETE FROM "DailyActivity"`);
    await pool.query(fill);
    expect([await kept(place.environmentId), await kept(ALL)]).toEqual(before);
  });
});

describe("the downloads before there were visits", () => {
  const importing = () => {
    const migration = readFileSync("prisma/migrations/20261126043000_one_count_of_visits/migration.sql", "utf8");
    return pool.query(`BEGIN; ${migration.slice(migration.indexOf("CREATE TEMPORARY TABLE earlier"))} COMMIT`);
  };
  /** The counts of a place, of which it is not known whether they are complete. */
  async function steps(where: string, id: string): Promise<unknown> {
    const { rows } = await pool.query(
      `SELECT sum("opened")::int AS "opened", sum("manifest")::int AS "manifest", sum("begun")::int AS "begun", sum("complete")::int AS "complete",
         sum("unseen")::int AS "unseen" FROM "InstallCount" WHERE ${where} AND "day" IS NOT NULL AND "os" IS NOT NULL`,
      [id],
    );
    return rows[0];
  }

  it("are visits of their users and one each of people without an account; those of programs are none", async () => {
    const place = await aPlace();
    const release = await publish(place, "2025-01-01T12:00:00Z");
    const userId = newId();
    await pool.query(
      `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider", "status")
       SELECT $1::uuid, 'A', 'B', $1::uuid || '@example.test', (SELECT "id" FROM "Role" LIMIT 1), 'email', 'active'`,
      [userId],
    );
    for (const hour of [10, 12]) {
      await download(release, "download", `2025-01-03T${hour}:00:00Z`, { userId, byLink: false, userAgent: "Android" });
      await download(release, "install", `2025-01-03T${hour}:30:00Z`);
      await download(release, "download", `2025-01-03T${hour}:30:00Z`, { byLink: false });
    }
    await download(release, "download", "2025-01-03T11:00:00Z", { userId: newId(), byLink: false });
    await importing();
    const expected = { opened: 3, manifest: 2, begun: 3, complete: 0, unseen: 3 };
    expect(await steps(`"releaseId" = $1`, release)).toEqual(expected);
    expect(await steps(`"environmentId" = $1 AND "releaseId" IS NULL`, place.environmentId)).toEqual(expected);
    const { rows } = await pool.query(
      `SELECT "userId", "day"::text AS "day", "os", "fromStore" FROM "InstallVisit" WHERE "releaseId" = $1`,
      [release],
    );
    expect(rows).toEqual([{ userId, day: "2025-01-03", os: "android", fromStore: true }]);
    const { rows: systems } = await pool.query(
      `SELECT "os", "opened"::int AS "opened" FROM "InstallCount" WHERE "releaseId" = $1 AND "day" IS NULL AND "os" IS NOT NULL ORDER BY 1`,
      [release],
    );
    expect(systems).toEqual([
      { os: "ios", opened: 2 },
      { os: "android", opened: 1 },
    ]);
  });

  it("are left alone from the first visit on", async () => {
    await pool.query(`TRUNCATE "Release" CASCADE`);
    const place = await aPlace();
    const release = await publish(place, "2025-01-01T12:00:00Z");
    await fetchFile(release, "install", "2025-01-02T12:00:00Z");
    await download(release, "install", "2025-01-02T12:00:00Z");
    await importing();
    expect(await steps(`"releaseId" = $1`, release)).toMatchObject({ begun: null });
  });
});

describe("the stored bytes", () => {
  const stored = async () => {
    const { rows } = await pool.query(
      `SELECT coalesce(sum("change"), 0)::int AS "kept", (SELECT coalesce(sum("size"), 0)::int FROM "File" WHERE "state" = 'ready') AS "real"
       FROM "StoredBytes"`,
    );
    expect(rows[0].kept).toBe(rows[0].real);
    return rows[0].kept;
  };

  it("are those of the files in use at every step of a file's life", async () => {
    await pool.query(`TRUNCATE "File" CASCADE`);
    expect(await stored()).toBe(0);
    for (let index = 0; index < 60; index++) {
      const { fileId } = await aPlace();
      await pool.query(`UPDATE "File" SET "size" = 10, "sha256" = repeat('0', 64) WHERE "id" = $1`, [fileId]);
      await pool.query(`UPDATE "File" SET "state" = 'ready' WHERE "id" = $1`, [fileId]);
    }
    expect(await stored()).toBe(600);
    const some = `(SELECT "id" FROM "File" ORDER BY "id" LIMIT 7)`;
    await pool.query(`UPDATE "File" SET "state" = 'deleting' WHERE "id" IN ${some}`);
    expect(await stored()).toBe(530);
    await pool.query(`DELETE FROM "File" WHERE "id" IN ${some}`);
    expect(await stored()).toBe(530);
    await pool.query(`DELETE FROM "File"`);
    expect(await stored()).toBe(0);
  });
});
