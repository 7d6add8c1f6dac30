import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { databasePool, db } from "@/lib/db/client";
import { latestRelease } from "@/lib/features/releases/data/latest";
import { updateTestingDeploy } from "@/lib/features/releases/operations/update-testing-deploy";
import { env } from "@/lib/kernel/env";
import { anApp, aToken, aUser, type Caller, send, type TestUser } from "@/lib/testing/console";
import { anApk, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getLatestRelease } from "./get-latest-release";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let inApp: Caller;

beforeAll(async () => {
  await ensureServerKeys();
  admin = await aUser({ admin: true });
});

beforeEach(async () => {
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  const identifiers = ["com.example.mobile"];
  const token = await aToken({ appId: app.appId, environmentId, scopes: ["release:read"], identifiers });
  inApp = { headers: { ...token.headers, "x-app-identifier": "com.example.mobile" } };
});

async function publishApk(version: string, buildNumber: number, fields: Record<string, string> = {}) {
  const bytes = await anApk(app.identifier, { versionName: version, versionCode: buildNumber });
  const { status, body } = await publish(admin, bytes, "Example.apk", { environmentId, ...fields });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

const latest = async (input: Record<string, unknown> = {}) =>
  (await send(getLatestRelease, inApp, { platform: "android", ...input })).body;

const NOTHING = { updateAvailable: false, mandatory: false, release: null, installUrl: null };

describe("the latest release", () => {
  it("is the one with the highest version by number, whenever it was published", async () => {
    const newest = await publishApk("1.10", 1);
    await publishApk("1.9", 9);
    const answer = await latest({ version: "1.9", buildNumber: "9" });
    expect(answer).toEqual({
      updateAvailable: true,
      mandatory: false,
      release: newest,
      installUrl: `${env.APP_URL}/releases?id=${newest.id}`,
    });
  });

  it("is decided by the build number where the versions are equal", async () => {
    await publishApk("2.0", 9);
    const newest = await publishApk("2.0", 10);
    expect((await latest()).release.id).toBe(newest.id);
    expect(await latest({ version: "2.0", buildNumber: "9" })).toMatchObject({ updateAvailable: true });
    expect(await latest({ version: "2.0", buildNumber: "10" })).toMatchObject({ updateAvailable: false });
    expect(await latest({ version: "2.0" })).toMatchObject({ updateAvailable: false });
    expect(await latest({ version: "2.0.1", buildNumber: "1" })).toMatchObject({ updateAvailable: false });
    expect(await latest()).toMatchObject({ updateAvailable: true });
  });

  it("is mandatory where any newer one is marked so, when it is published or later", async () => {
    await publishApk("1.1", 1, { mandatory: "true" });
    const newest = await publishApk("1.2", 2);
    expect(newest.mandatory).toBe(false);
    expect(await latest({ version: "1.0" })).toMatchObject({ updateAvailable: true, mandatory: true });
    expect(await latest({ version: "1.1", buildNumber: "1" })).toMatchObject({
      updateAvailable: true,
      mandatory: false,
    });
    const changed = await send(updateTestingDeploy, admin, { id: newest.id, mandatory: true });
    expect([changed.status, changed.body.mandatory]).toEqual([200, true]);
    expect(await db.auditRecord.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      changes: { mandatory: [false, true] },
    });
    expect(await latest({ version: "1.1", buildNumber: "1" })).toMatchObject({ mandatory: true });
    expect(await latest({ version: "1.2", buildNumber: "2" })).toMatchObject({ mandatory: false });
  });

  it("is that of the platform that is named, by its kind, name or ID, and of the token's environment", async () => {
    const { platform, id } = await publishApk("1.0", 1);
    for (const name of ["android", "Android", "ANDROID", platform.id]) {
      expect((await latest({ platform: name })).release.id).toBe(id);
    }
    expect(await latest({ platform: "ios" })).toEqual(NOTHING);
    const other = await anApp();
    const token = await aToken({
      appId: other.appId,
      environmentId: other.environmentIds[0] as string,
      scopes: ["release:read"],
    });
    expect((await send(getLatestRelease, token, { platform: "android" })).body).toEqual(NOTHING);
  });

  it("is refused for a platform that is not there, and for a build number without a version", async () => {
    const wrong = async (input: Record<string, unknown>) => {
      const { status, body } = await send(getLatestRelease, inApp, input);
      return [status, body.errors?.[0].path, body.errors?.[0].code];
    };
    expect(await wrong({ platform: "symbian" })).toEqual([422, "platform", "unknown"]);
    expect(await wrong({ platform: "android", buildNumber: "1" })).toEqual([422, "version", "required"]);
  });

  it("is told to no app of another identifier, and nobody where the environment is switched off", async () => {
    await publishApk("1.0", 1);
    const authorization = inApp.headers.authorization as string;
    const others: Record<string, string>[] = [{}, { "x-app-identifier": "com.example.other" }];
    for (const headers of others) {
      const caller = { headers: { authorization, ...headers } };
      const { status, body } = await send(getLatestRelease, caller, { platform: "android" });
      expect([status, body.code]).toEqual([401, "invalid_token"]);
    }
    await db.environment.update({ where: { id: environmentId }, data: { status: "inactive" } });
    const { status, body } = await send(getLatestRelease, inApp, { platform: "android" });
    expect([status, body.code]).toEqual([404, "not_found"]);
  });
});

it("looks at as many rows of a large environment as of a small one", async () => {
  const { id } = await publishApk("1.0", 1);
  const columns = await databasePool().query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'Release' AND table_schema = 'public'`,
  );
  const others = columns.rows
    .map(({ name }) => name)
    .filter((name) => !["id", "version", "buildNumber"].includes(name));
  const list = others.map((name) => `"${name}"`).join(", ");
  await databasePool().query(
    `INSERT INTO "Release" ("id", "version", "buildNumber", ${list})
     SELECT gen_random_uuid(), n / 100 || '.' || n % 100, n::text, ${list}
     FROM "Release", generate_series(1, 5000) AS n WHERE "id" = $1`,
    [id],
  );
  await databasePool().query(`ANALYZE "Release"`);
  const statements: { text: string; values: unknown[] }[] = [];
  const pool = databasePool();
  const query = pool.query.bind(pool) as (statement: unknown) => Promise<unknown>;
  Object.assign(pool, {
    query: (statement: { text: string; values: unknown[] }) => {
      statements.push(statement);
      return query(statement);
    },
  });
  const found = await latestRelease(db, environmentId, "android", { version: "25.3", buildNumber: "7" });
  Object.assign(pool, { query });
  expect(found.release?.version).toBe("50.0");
  expect(statements).toHaveLength(1);
  const { text, values } = statements[0] as { text: string; values: unknown[] };
  const plan = (await query({ text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values })) as {
    rows: { "QUERY PLAN": { Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }[] }[];
  };
  const root = plan.rows[0]?.["QUERY PLAN"][0]?.Plan;
  expect(root && root["Shared Hit Blocks"] + root["Shared Read Blocks"]).toBeLessThan(100);
});
