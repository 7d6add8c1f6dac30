import { makeAab } from "@slipway/installers/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getApps } from "@/lib/features/apps/operations/get-apps";
import { newId } from "@/lib/kernel/ids";
import { anApp, aToken, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { readPages } from "@/lib/testing/lists";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { recordDownloads } from "../data/downloads";
import { getTestingDeployById } from "./get-testing-deploy-by-id";
import { getTestingDeploys } from "./get-testing-deploys";
import { getTestingDeploysByApp } from "./get-testing-deploys-by-app";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let qa: string;
let staging: string;
let hidden: string;

/** A copy of a release's row, published at another time. */
async function copyOf(
  id: string,
  more: { deployDate: Date; environmentId?: string; version?: string },
): Promise<string> {
  const row = await db.release.findUniqueOrThrow({ where: { id } });
  const copy = {
    ...row,
    installer: row.installer ?? {},
    metadata: row.metadata ?? {},
    warnings: row.warnings ?? [],
    id: newId(),
    ...more,
  };
  await db.release.create({ data: copy });
  return copy.id;
}

const minute = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index));

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }, { name: "Hidden" }] });
  [qa, staging, hidden] = app.environmentIds as [string, string, string];
  const first = await aRelease(admin, { identifier: app.identifier, environmentId: qa }, { version: "1.0" });
  await db.release.update({ where: { id: first.id }, data: { deployDate: minute(0) } });
  for (let index = 1; index < 12; index += 1) {
    // Two of each date, so that the id decides between them.
    const deployDate = minute(Math.floor(index / 2) * 2);
    await copyOf(first.id, { deployDate, version: `1.${index}` });
  }
  await copyOf(first.id, { environmentId: staging, deployDate: minute(100) });
  await copyOf(first.id, { environmentId: hidden, deployDate: minute(200) });
});

const ids = (items: { id: string }[]) => items.map(({ id }) => id);

describe("the releases of an environment", () => {
  it.each([
    ["newest first", {}, ["desc", "desc"]],
    ["oldest first on request", { sort: "deployDate" }, ["asc", "asc"]],
  ] as const)("are listed %s, each once over all pages", async (_order, input, [date, id]) => {
    const { pages, totals } = await readPages(getTestingDeploys, admin, { environmentId: qa, limit: 5, ...input });
    const rows = await db.release.findMany({
      where: { environmentId: qa },
      orderBy: [{ deployDate: date }, { id }],
    });
    expect(ids(pages.flat())).toEqual(ids(rows));
    expect(pages.map((page) => page.length)).toEqual([5, 5, 2]);
    expect(new Set(totals)).toEqual(new Set([12]));
  });

  it("are filtered by version, platform, period and search", async () => {
    const list = async (input: object) => {
      const { status, body } = await send(getTestingDeploys, admin, { environmentId: qa, ...input });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.items).toHaveLength(Math.min(body.total, 25));
      return body.total;
    };
    expect(await list({ version: "1.1" })).toBe(1);
    expect(await list({ version: "1" })).toBe(0);
    expect(await list({ platformId: "019a0000-0000-7000-8000-000000000011" })).toBe(12);
    expect(await list({ platformId: "019a0000-0000-7000-8000-000000000012" })).toBe(0);
    expect(await list({ from: "2026-01-01", to: "2026-01-01" })).toBe(12);
    expect(await list({ to: "2025-12-31" })).toBe(0);
    expect(await list({ from: minute(10).toISOString() })).toBe(2);
    expect(await list({ search: "WHAT CHANGED" })).toBe(12);
    expect(await list({ search: "%" })).toBe(0);
    expect(await list({ search: "1.1" })).toBe(3);
  });

  it("are exported as CSV as the list is filtered, over all pages", async () => {
    const filter = { environmentId: qa, search: "1.1", sort: "version", limit: 1 };
    const answer = await sendRaw(getTestingDeploys, admin, { ...filter, format: "csv" });
    expect(answer.headers.get("content-disposition")).toMatch(/filename="releases-\d{4}-\d\d-\d\d\.csv"/);
    const [header, ...lines] = (await answer.text()).trimEnd().split("\r\n");
    expect(header).toMatch(/^id,app,environment,platform,version,buildNumber,/);
    expect(lines.map((line) => line.split(",")[4])).toEqual(['"1.1"', '"1.10"', '"1.11"']);
    const tester = await aUser({
      grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId, environmentIds: [staging] }] }],
    });
    const ofApp = await sendRaw(getTestingDeploysByApp, tester, { appId: app.appId, format: "csv" });
    expect((await ofApp.text()).trimEnd().split("\r\n").slice(1)).toEqual([expect.stringContaining('"Staging"')]);
  });

  it("are returned to a token of the environment and to no other token", async () => {
    const token = await aToken({ appId: app.appId, environmentId: qa, scopes: ["release:read"] });
    expect((await send(getTestingDeploys, token, { environmentId: qa })).body.total).toBe(12);
    expect((await send(getTestingDeploys, token, { environmentId: staging })).status).toBe(404);
  });
});

describe("the total of a long list", () => {
  const ANDROID = "019a0000-0000-7000-8000-000000000012";
  let long: { appId: string; environmentIds: string[] };
  let environmentId: string;

  beforeAll(async () => {
    long = await anApp({ environments: [{ name: "Long" }, { name: "Short" }] });
    environmentId = long.environmentIds[0] as string;
    const { id } = await db.release.findFirstOrThrow({ where: { environmentId: qa } });
    await db.$executeRaw`
      INSERT INTO "Release" SELECT copy.* FROM "Release" r, generate_series(1, 10001) n, jsonb_populate_record(r,
        jsonb_build_object('id', gen_random_uuid(), 'environmentId', ${environmentId}::text, 'version', 'v' || (n = 1),
          'deployDate', r."deployDate" + n * interval '1 s')) copy
      WHERE r."id" = ${id}::uuid`;
  });
  const totals = async (input: object) => {
    const { body } = await send(getTestingDeploys, admin, { environmentId, limit: 1, ...input });
    return { total: body.total, totalIsAtLeast: body.totalIsAtLeast };
  };

  it("is exact at any length", async () => {
    expect(await totals({})).toEqual({ total: 10_001 });
    expect(await totals({ platformId: ANDROID })).toEqual({ total: 0 });
    expect((await send(getTestingDeploysByApp, admin, { appId: long.appId })).body.total).toBe(10_001);
    const apps = await send(getApps, admin, {
      search: (await db.app.findUniqueOrThrow({ where: { id: long.appId } })).identifier,
    });
    expect(apps.body.items).toMatchObject([{ environmentCount: 2, releaseCount: 10_001 }]);
  });

  it("is a lower bound if the list is filtered and counting stopped early", async () => {
    expect(await totals({ version: "vtrue" })).toEqual({ total: 1 });
    expect(await totals({ version: "vfalse" })).toEqual({ total: 10_000 });
    expect(await totals({ search: "v" })).toEqual({ total: 1_000, totalIsAtLeast: true });
    expect(await totals({ search: "true" })).toEqual({ total: 1 });
    expect(await totals({ from: "2000-01-01" })).toEqual({ total: 10_000, totalIsAtLeast: true });
  });
});

describe("the releases of an application", () => {
  it("are those of the environments in which the caller can read them", async () => {
    const grants = [
      { scopes: ["release:read" as const], apps: [{ appId: app.appId, environmentIds: [qa, staging] }] },
      { scopes: ["environment:write" as const], apps: [{ appId: app.appId, environmentIds: [hidden] }] },
    ];
    const tester = await aUser({ grants });
    const { status, body } = await send(getTestingDeploysByApp, tester, { appId: app.appId });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.total).toBe(13);
    expect(new Set(body.items.map((item: { environment: { name: string } }) => item.environment.name))).toEqual(
      new Set(["QA", "Staging"]),
    );
    expect((await send(getTestingDeploysByApp, admin, { appId: app.appId })).body.total).toBe(14);
  });

  it("omit inactive environments, except for callers who can activate them", async () => {
    await db.environment.update({ where: { id: staging }, data: { status: "inactive" } });
    const apps = [{ appId: app.appId }];
    const reader = await aUser({ grants: [{ scopes: ["release:read"], apps }] });
    const keeper = await aUser({ grants: [{ scopes: ["release:read", "environment:write"], apps }] });
    expect((await send(getTestingDeploysByApp, reader, { appId: app.appId })).body.total).toBe(13);
    expect((await send(getTestingDeploysByApp, keeper, { appId: app.appId })).body.total).toBe(14);
    expect((await send(getTestingDeploys, reader, { environmentId: staging })).status).toBe(404);
    expect((await send(getTestingDeploys, keeper, { environmentId: staging })).status).toBe(200);
    await db.environment.update({ where: { id: staging }, data: { status: "active" } });
  });

  it("are not found by a caller without access to it", async () => {
    expect((await send(getTestingDeploysByApp, await aUser(), { appId: app.appId })).status).toBe(404);
  });
});

describe("one release", () => {
  it("names the previous one of the same app, platform and kind", async () => {
    const place = { identifier: app.identifier, environmentId: qa };
    const before = await aRelease(admin, place, { version: "5.0", minOs: "16.0" });
    const after = await aRelease(admin, place, { version: "5.1", minOs: "17.0" });
    const { status, body } = await send(getTestingDeployById, admin, { id: after.id });
    expect(status).toBe(200);
    const { previous, alternatives, scopes, next, latest, sameBuild, lastDownloadAt, openings, ...rest } = body;
    const { installFacts, ...release } = rest;
    expect(release).toEqual(after);
    // The tests run with an authority of the console's own.
    expect(installFacts).toEqual({
      ownAuthority: true,
      ungrantedEntitlements: [],
      certificateRevoked: false,
      installed: null,
    });
    expect(alternatives).toEqual({ apkId: null, otherPlatformId: null });
    expect([next, lastDownloadAt, latest.id]).toEqual([null, null, release.id]);
    expect(sameBuild).toMatchObject([{ id: after.id, kind: "ipa" }]);
    expect((await send(getTestingDeployById, admin, { id: before.id })).body.next).toEqual({
      id: after.id,
      version: "5.1",
      buildNumber: after.buildNumber,
    });
    expect(scopes).toContain("release:download");
    const { id, version, buildNumber, deployDate } = before;
    expect(previous).toEqual({ id, version, buildNumber, deployDate });
  });

  it("has no previous one if it is the first", async () => {
    const other = await anApp();
    const environmentId = other.environmentIds[0] as string;
    const first = await aRelease(admin, { identifier: other.identifier, environmentId });
    expect((await send(getTestingDeployById, admin, { id: first.id })).body.previous).toBeNull();
  });

  it("comes with the scopes that the caller holds in its environment", async () => {
    const { id } = await aRelease(admin, { identifier: app.identifier, environmentId: qa });
    const tester = await aUser({
      grants: [
        { scopes: ["release:read"], apps: [{ appId: app.appId, environmentIds: [qa] }] },
        { scopes: ["release:delete"], apps: [{ appId: app.appId, environmentIds: [staging] }] },
      ],
    });
    expect((await send(getTestingDeployById, tester, { id })).body.scopes).toEqual(["release:read"]);
    const list = await send(getTestingDeploys, tester, { environmentId: qa, limit: 1 });
    expect(list.body.environments).toEqual([{ id: qa, scopes: ["release:read"] }]);
    const both = await send(getTestingDeploysByApp, tester, { appId: app.appId, limit: 100 });
    expect(
      new Map(both.body.environments.map((one: { id: string; scopes: string[] }) => [one.id, one.scopes])),
    ).toEqual(
      new Map([
        [qa, ["release:read"]],
        [staging, ["release:read", "release:delete"]],
      ]),
    );
  });

  it("names the other system's platform and, for a bundle, the APK of the same version and build", async () => {
    const other = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [one, two] = other.environmentIds as [string, string];
    const version = { versionName: "2.4.0", versionCode: 118 };
    const form = { description: "What changed", environmentId: one };
    const bundle = (await publish(admin, makeAab({ identifier: other.identifier, ...version }), "a.aab", form)).body;
    const details = async (id: string) => (await send(getTestingDeployById, admin, { id })).body.alternatives;
    expect(await details(bundle.id)).toEqual({ apkId: null, otherPlatformId: null });

    await publish(admin, await anApk(other.identifier, { ...version, versionCode: 119 }), "b.apk", form);
    await publish(admin, await anApk(other.identifier, version), "c.apk", { ...form, environmentId: two });
    expect((await details(bundle.id)).apkId).toBeNull();
    const apk = (await publish(admin, await anApk(other.identifier, version), "d.apk", form)).body;
    expect(await details(bundle.id)).toEqual({ apkId: apk.id, otherPlatformId: null });

    const ipa = await aRelease(admin, { identifier: other.identifier, environmentId: one });
    expect(await details(ipa.id)).toEqual({ apkId: null, otherPlatformId: apk.platform.id });
    expect(await details(apk.id)).toEqual({ apkId: null, otherPlatformId: ipa.platform.id });
  });

  it("comes with the installers of the same version and build, and with the time of its last download", async () => {
    const other = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [one, two] = other.environmentIds as [string, string];
    const version = { versionName: "2.4.0", versionCode: 118 };
    const place = { identifier: other.identifier, environmentId: one };
    const form = { environmentId: one };
    const bundle = (await publish(admin, makeAab({ identifier: other.identifier, ...version }), "a.aab", form)).body;
    const older = (await publish(admin, await anApk(other.identifier, version), "a.apk", form)).body;
    const apk = (await publish(admin, await anApk(other.identifier, version), "b.apk", form)).body;
    const ipa = await aRelease(admin, place, { version: "2.4.0", build: "118" });
    await aRelease(admin, { ...place, environmentId: two }, { version: "2.4.0", build: "118" });
    const buildsOf = async (id: string) =>
      (await send(getTestingDeployById, admin, { id })).body.sameBuild.map((build: { id: string }) => build.id);
    expect(await buildsOf(ipa.id)).toEqual([apk.id, bundle.id, ipa.id]);
    // The one that is shown is always among them.
    expect(await buildsOf(older.id)).toEqual([older.id, bundle.id, ipa.id]);
    const at = new Date(Date.UTC(2026, 0, 2));
    const download = { releaseId: apk.id, userId: null, byLink: true, userAgent: null, kind: "download" } as const;
    for (const time of [at, new Date(0)]) await recordDownloads(db, [{ ...download, at: time }]);
    expect((await send(getTestingDeployById, admin, { id: apk.id })).body.lastDownloadAt).toBe(at.toISOString());
  });

  it("is not found by a caller who reads another environment only", async () => {
    const release = await aRelease(admin, { identifier: app.identifier, environmentId: qa });
    const apps = [{ appId: app.appId, environmentIds: [staging] }];
    const stranger = await aUser({ grants: [{ scopes: ["release:read"], apps }] });
    const answer = await send(getTestingDeployById, stranger, { id: release.id });
    const missing = await send(getTestingDeployById, stranger, { id: newId() });
    expect([answer.status, answer.body.code]).toEqual([missing.status, missing.body.code]);
    expect(answer.status).toBe(404);
  });
});
