import { makeAab } from "@slipway/installers/testing";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getLatestTestingDeploys } from "./get-latest-testing-deploys";
import { getLatestTestingDeploysByApp } from "./get-latest-testing-deploys-by-app";

setUpTestDatabase();

const IOS = "019a0000-0000-7000-8000-000000000011";
const ANDROID = "019a0000-0000-7000-8000-000000000012";

let admin: TestUser;
let template: string;
let app: Awaited<ReturnType<typeof anApp>>;
let qa: string;
let staging: string;
let empty: string;
let other: Awaited<ReturnType<typeof anApp>>;

/** Adds a release, published in a minute of 2026-01-01. */
async function addRelease(environmentId: string, platformId: string, version: string, minute: number): Promise<void> {
  const row = await db.release.findUniqueOrThrow({ where: { id: template } });
  const deployDate = new Date(Date.UTC(2026, 0, 1, 0, minute));
  const copy = {
    installer: row.installer ?? {},
    metadata: row.metadata ?? {},
    warnings: row.warnings ?? [],
    id: newId(),
    environmentId,
    platformId,
  };
  await db.release.create({ data: { ...row, ...copy, version, deployDate } });
}

type Items = { app: { id: string }; environment: { id: string }; platform: { id: string }; version: string }[];

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }, { name: "Empty" }] });
  [qa, staging, empty] = app.environmentIds as [string, string, string];
  other = await anApp();
  const place = { identifier: other.identifier, environmentId: other.environmentIds[0] as string };
  template = (await aRelease(admin, place, { version: "9.0" })).id;
  await addRelease(qa, IOS, "1.0", 1);
  await addRelease(qa, IOS, "1.2", 3);
  await addRelease(qa, IOS, "1.1", 2);
  await addRelease(qa, ANDROID, "1.3", 4);
  await addRelease(staging, IOS, "0.9", 5);
});

describe("the latest releases of environments", () => {
  const latest = async (environmentIds: string[], caller = admin) => {
    const { status, body } = await send(getLatestTestingDeploys, caller, { appId: app.appId, environmentIds });
    expect(status, JSON.stringify(body)).toBe(200);
    return (body.items as Items).map(({ environment, platform, version }) => [environment.id, platform.id, version]);
  };

  it("are one of each platform in each environment, by the platform's name", async () => {
    expect(await latest([qa])).toEqual([
      [qa, ANDROID, "1.3"],
      [qa, IOS, "1.2"],
    ]);
    expect((await latest([qa, staging, empty])).toSorted()).toEqual(
      [
        [qa, ANDROID, "1.3"],
        [qa, IOS, "1.2"],
        [staging, IOS, "0.9"],
      ].toSorted(),
    );
    expect(await latest([empty])).toEqual([]);
  });

  it("are those that devices install: a bundle counts only where there is nothing else", async () => {
    const place = await anApp({ environments: [{ name: "QA" }, { name: "Store" }] });
    const { appId, identifier, environmentIds } = place;
    const [environmentId = "", bundlesOnly = ""] = environmentIds;
    await publish(admin, await anApk(identifier), "app.apk", { environmentId });
    await publish(admin, makeAab({ identifier }), "app.aab", { environmentId });
    await publish(admin, makeAab({ identifier }), "app.aab", { environmentId: bundlesOnly });
    const { body } = await send(getLatestTestingDeploys, admin, { appId, environmentIds });
    const kinds = (body.items as { environment: { id: string }; installer: { kind: string } }[]).map(
      ({ environment, installer }) => [environment.id, installer.kind],
    );
    expect(new Map(kinds as [string, string][])).toEqual(
      new Map([
        [environmentId, "apk"],
        [bundlesOnly, "aab"],
      ]),
    );
  });

  it("leave out environments that the caller cannot read, and those of other applications", async () => {
    const apps = [{ appId: app.appId, environmentIds: [staging] }];
    const tester = await aUser({ grants: [{ scopes: ["release:read"], apps }] });
    expect(await latest([qa, staging, ...other.environmentIds], tester)).toEqual([[staging, IOS, "0.9"]]);
    expect(await latest(other.environmentIds)).toEqual([]);
  });

  it("are loaded by the same number of statements, however many environments there are", async () => {
    const query = vi.spyOn(databasePool(), "query");
    const connect = vi.spyOn(databasePool(), "connect");
    const statements = async (environmentIds: string[]) => {
      query.mockClear();
      connect.mockClear();
      await latest(environmentIds);
      return query.mock.calls.length + connect.mock.calls.length;
    };
    await statements([qa]);
    const one = await statements([qa]);
    expect(one).toBeGreaterThan(0);
    expect(await statements([qa, staging, empty])).toBe(one);
    vi.restoreAllMocks();
  });
});

describe("the latest releases of applications", () => {
  const latest = async (appIds: string[], caller = admin) => {
    const { status, body } = await send(getLatestTestingDeploysByApp, caller, { appIds });
    expect(status, JSON.stringify(body)).toBe(200);
    return new Map((body.items as Items).map(({ app: { id }, version }) => [id, version]));
  };

  it("are one of each application that has any", async () => {
    const without = await anApp();
    expect(await latest([app.appId, other.appId, without.appId])).toEqual(
      new Map([
        [app.appId, "1.3"],
        [other.appId, "9.0"],
      ]),
    );
    expect(await latest([without.appId])).toEqual(new Map());
  });

  it("come from the environments that the caller can read", async () => {
    const apps = [{ appId: app.appId, environmentIds: [qa] }];
    const tester = await aUser({ grants: [{ scopes: ["release:read"], apps }] });
    expect(await latest([app.appId, other.appId], tester)).toEqual(new Map([[app.appId, "1.3"]]));
  });
});
