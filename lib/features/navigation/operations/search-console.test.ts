import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { anApp, aUser, type Caller, send } from "@/lib/testing/console";
import { blocksRead, statementsOf } from "@/lib/testing/plans";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { aVariable } from "@/lib/testing/variables";
import { rowsOf } from "@/scripts/test-amount";
import { setUpTestDatabase } from "@/scripts/test-database";
import { searchConsole } from "./search-console";

setUpTestDatabase();

let admin: Caller;
let orbit: { appId: string; environmentIds: string[] };
let staging: string;
let production: string;
let fileId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  orbit = await anApp({
    name: "Órbita",
    identifier: "com.acme.orbit",
    environments: [{ name: "Staging" }, { name: "Production" }],
  });
  [staging, production] = orbit.environmentIds as [string, string];
  await anApp({ name: "Comet", environments: [{ name: "Staging" }] });
  fileId = newId();
  await db.file.create({
    data: {
      id: fileId,
      storageKey: fileId,
      name: "app.ipa",
      contentType: "application/octet-stream",
      purpose: "installer",
      state: "ready",
      size: 1n,
      sha256: "0".repeat(64),
    },
  });
});

/** Inserts a release. @returns its ID */
async function aRow(release: {
  environmentId: string;
  version: string;
  build?: string;
  notes?: string;
  kind?: "ios" | "android";
  day: number;
}): Promise<string> {
  const platform = await db.platform.findFirstOrThrow({ where: { kind: release.kind ?? "ios" } });
  const id = newId();
  await db.release.create({
    data: {
      id,
      environmentId: release.environmentId,
      platformId: platform.id,
      fileId,
      version: release.version,
      buildNumber: release.build ?? "1",
      identifier: "com.acme.orbit",
      displayName: "App",
      description: release.notes ?? "Changes",
      iosEnabled: true,
      installer: { kind: release.kind === "android" ? "apk" : "ipa" },
      metadata: {},
      deployDate: new Date(Date.UTC(2026, 0, 1) + release.day * DAY_MS),
    },
  });
  return id;
}

const search = async (caller: Caller, text: string, place?: string) => {
  const answer = await send(searchConsole, caller, { search: text, ...(place !== undefined && { place }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

describe("search-console", () => {
  it("finds applications and environments without regard to case, accents and the order of words", async () => {
    expect((await search(admin, "orbita")).apps).toMatchObject([{ id: orbit.appId, name: "Órbita" }]);
    expect((await search(admin, "ACME.orbit")).apps).toHaveLength(1);
    expect(ids((await search(admin, "stag ÓRB")).environments)).toEqual([staging]);
    expect((await search(admin, "100%")).environments).toEqual([]);
  });

  it("finds releases by version, build number and words of the notes", async () => {
    const notes = "- **Offline maps**: pick a [región](https://example.com)\n- Second line";
    const id = await aRow({ environmentId: staging, version: "2.4.0", build: "118", notes, day: 10 });
    await aRow({ environmentId: staging, version: "2.3.9", build: "117", day: 9 });
    for (const text of ["2.4", "2.4.0", "118", "offline", "REGION pick", "órbita staging 2.4.0 ios"]) {
      expect(ids((await search(admin, text)).releases), text).toEqual([id]);
    }
    expect((await search(admin, "118")).releases[0]).toMatchObject({
      version: "2.4.0",
      buildNumber: "118",
      summary: "Offline maps: pick a región",
      app: { name: "Órbita" },
      environment: { id: staging, name: "Staging" },
      platform: { name: "iOS" },
    });
  });

  it("lists a release whose build number is a word before later ones that only contain it", async () => {
    const exact = await aRow({ environmentId: staging, version: "7.0.0", build: "7118", day: 1 });
    const later = await aRow({ environmentId: staging, version: "7.0.1", notes: "Fixes 7118 crashes", day: 11 });
    expect(ids((await search(admin, "7118")).releases)).toEqual([exact, later]);
  });

  it("finds the latest release of each platform in the named environments", async () => {
    await aRow({ environmentId: production, version: "3.0.0", day: 1 });
    const ios = await aRow({ environmentId: production, version: "3.0.1", day: 2 });
    const android = await aRow({ environmentId: production, version: "3.0.1", kind: "android", day: 3 });
    expect(ids((await search(admin, "share newest production", "production")).latest)).toEqual([android, ios]);
    expect(ids((await search(admin, "share newest production ios", "production ios")).latest)).toEqual([ios]);
  });

  it("finds users and roles for administrators only", async () => {
    const { email } = await db.user.create({
      data: {
        id: newId(),
        firstNames: "Zoë",
        lastNames: "Quartz",
        email: "zoe.quartz@acme.test",
        provider: "email",
        role: { create: { id: newId(), name: "Quartz testers" } },
      },
    });
    const found = await search(admin, "quartz");
    expect(found.users).toMatchObject([{ name: "Zoë Quartz", email }]);
    expect(found.roles).toMatchObject([{ name: "Quartz testers" }]);
    expect((await search(admin, "zoe")).users).toHaveLength(1);
    const grants = [{ scopes: ["environment:write" as const] }];
    expect(await search(await aUser({ grants }), "quartz")).toMatchObject({ users: [], roles: [] });
  });

  it("finds only what the caller's role reaches", async () => {
    await aRow({ environmentId: production, version: "5.5.5", notes: "secret plan", day: 4 });
    const id = await aRow({ environmentId: staging, version: "5.5.5", notes: "secret plan", day: 5 });
    const tester = await aUser({
      grants: [{ scopes: ["release:read"], apps: [{ appId: orbit.appId, environmentIds: [staging] }] }],
    });
    for (const text of ["5.5.5", "secret"]) {
      const { releases, environments, latest } = await search(tester, text);
      expect([ids(releases), environments, latest]).toEqual([[id], [], []]);
    }
    expect(ids((await search(tester, "orbita")).environments)).toEqual([staging]);
    const reader = await aUser({ grants: [{ scopes: ["dev-variable:read"], apps: [{ appId: orbit.appId }] }] });
    expect(await search(reader, "secret")).toMatchObject({ releases: [] });
    expect(await search(reader, "staging")).toMatchObject({ latest: [], environments: [{ id: staging }] });
  });

  it("finds older releases than it reads, by version, build number and rare words", async () => {
    const old = await aRow({ environmentId: staging, version: "0.0.7", build: "70707", notes: "Zeppelin", day: -400 });
    await manyReleases(5_000);
    for (const text of ["0.0.7", "70707", "zeppelin"]) expect(ids((await search(admin, text)).releases)).toEqual([old]);
  });

  it("costs no more with many users than with few, whether a word finds one, very many or none of them, or is a version", async () => {
    const texts = ["quixote", "tester", "generated", "zeppelin", "8.1.7"];
    const { userId } = await aUser();
    await db.user.update({ where: { id: userId }, data: { lastNames: "Quixote" } });
    const cost = async () => {
      // Otherwise the plans depend on when PostgreSQL does it by itself.
      await databasePool().query('VACUUM (ANALYZE) "User", "Release"');
      const blocks: number[] = [];
      for (const text of texts) blocks.push(await blocksRead(() => search(admin, text)));
      return blocks;
    };
    await manyUsers(1_000);
    const few = await cost();
    await manyUsers(rowsOf(30_000));
    const many = await cost();
    for (const [index, blocks] of many.entries()) expect(blocks, texts[index]).toBeLessThan(2 * (few[index] as number));
    expect((await search(admin, "quixote")).users).toHaveLength(1);
    expect((await search(admin, "tester")).users).toHaveLength(6);
  });

  it("takes a few statements, whose cost does not depend on the number of releases", async () => {
    const statements = await statementsOf(() => search(admin, "generated"));
    expect(statements.filter(({ text }) => /"Release"|"User" u/.test(text)).length).toBeLessThanOrEqual(4);
    await databasePool().query('VACUUM (ANALYZE) "Release"');
    const texts = ["generated", "9.9.9", "staging ios", "zeppelin"];
    const cost = async () => {
      const blocks: number[] = [];
      for (const text of texts) blocks.push(await blocksRead(() => search(admin, text)));
      return blocks;
    };
    const few = await cost();
    await manyReleases(rowsOf(15_000));
    await databasePool().query('VACUUM (ANALYZE) "Release"');
    const many = await cost();
    for (const [index, blocks] of many.entries()) expect(blocks, texts[index]).toBeLessThan(2 * (few[index] as number));
  }, 120_000);
});

/** The rows of one statement. */
const BATCH = 5_000;

/** Inserts users with the same last name. */
async function manyUsers(count: number): Promise<void> {
  await databasePool().query(
    `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider", "updatedAt")
     SELECT gen_random_uuid(), 'Tester', 'Generated', 'generated' || n || '-' || $1 || '@acme.test', (SELECT "id" FROM "Role" LIMIT 1), 'email', now()
     FROM generate_series(1, $1::int) n`,
    [count],
  );
}

/** Inserts releases of the last year with the same words in their notes, in statements that stay within their time limit. */
async function manyReleases(count: number): Promise<void> {
  const platform = await db.platform.findFirstOrThrow({ where: { kind: "ios" } });
  for (let from = 0; from < count; from += BATCH) {
    await databasePool().query(
      `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
         "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate", "updatedAt")
       SELECT gen_random_uuid(), $1, $2, $3, '9.9.' || (n % 50), n::text, 'com.acme.orbit', 'App',
         'Generated changes of build ' || n, true, '{"kind":"ipa"}', '{}', timestamptz '2025-06-01' + n * interval '7 minutes', now()
       FROM generate_series($4::int + 1, $5::int) n`,
      [staging, platform.id, fileId, from, Math.min(count, from + BATCH)],
    );
  }
}

describe("variables", () => {
  const find = async (who: Caller, search: string) =>
    (await send(searchConsole, who, { search })).body.variables.map(
      ({ key, environment }: { key: string; environment: { name: string } }) => [key, environment.name],
    );

  it("are found by a part of their key, and by their place, where the caller reads them", async () => {
    const { appId, environmentIds } = await anApp({ name: "Config", environments: [{ name: "QA" }, { name: "Live" }] });
    const [qa = "", live = ""] = environmentIds;
    for (const environmentId of environmentIds) {
      await aVariable("dev-variable", admin, { environmentId, key: "LOG_LEVEL", value: "canary-debug" });
    }
    await aVariable("dev-variable", admin, { environmentId: qa, key: "LOG_LEVEL_OF_SYNC" });
    expect(await find(admin, "LOG_LEVEL")).toEqual([
      ["LOG_LEVEL", "Live"],
      ["LOG_LEVEL", "QA"],
      ["LOG_LEVEL_OF_SYNC", "QA"],
    ]);
    expect(await find(admin, "log_lev live")).toEqual([["LOG_LEVEL", "Live"]]);
    expect(await find(admin, "level_of")).toEqual([["LOG_LEVEL_OF_SYNC", "QA"]]);
    expect(await find(admin, "LO")).toEqual([]);
    expect(await find(admin, "log%level")).toEqual([]);
    const reader = await aUser({
      grants: [{ scopes: ["dev-variable:read"], apps: [{ appId, environmentIds: [live] }] }],
    });
    expect(await find(reader, "LOG_LEVEL")).toEqual([["LOG_LEVEL", "Live"]]);
    const tester = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId }] }] });
    expect(await find(tester, "LOG_LEVEL")).toEqual([]);
    const { body } = await send(searchConsole, admin, { search: "LOG_LEVEL" });
    expect(JSON.stringify(body)).not.toContain("canary");
  });

  it("that are secure are found by people who have passed a second factor", async () => {
    const { environmentIds } = await anApp();
    const passed = await aUser({ admin: true });
    await withTwoFactor(passed, { passed: true });
    const [environmentId = ""] = environmentIds;
    await aVariable("secure-variable", passed, { environmentId, key: "PAYMENTS_KEY" });
    expect(await find(passed, "payments_key")).toEqual([["PAYMENTS_KEY", "Testing"]]);
    expect(await find(admin, "payments_key")).toEqual([]);
  });
});
