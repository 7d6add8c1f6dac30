import { makeAab } from "@slipway/installers/testing";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { LISTED_INSTALLERS } from "../schema";
import { getInstallableReleases } from "./get-installable-releases";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let other: Awaited<ReturnType<typeof anApp>>;
let qa: string;
let staging: string;

interface Item {
  app: { id: string; iconUrl: string | null };
  releases: { version: string; environment: { id: string }; installer: { kind: string } }[];
  downloadable: string[];
}

async function itemOf(
  caller: TestUser,
  input: Record<string, unknown> = {},
  appId = app.appId,
): Promise<Item | undefined> {
  const { status, body } = await send(getInstallableReleases, caller, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.items as Item[]).find((item) => item.app.id === appId);
}

const versions = (item: Item | undefined, kind: string) =>
  item?.releases.filter(({ installer }) => installer.kind === kind).map(({ version }) => version);

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  [qa, staging] = app.environmentIds as [string, string];
  other = await anApp();
  const { id } = await aRelease(admin, { identifier: app.identifier, environmentId: qa }, { version: "1.0" });
  const row = await db.release.findUniqueOrThrow({ where: { id } });
  for (let index = 1; index < 10; index += 1) {
    const copy = {
      ...row,
      installer: row.installer ?? {},
      metadata: row.metadata ?? {},
      warnings: row.warnings ?? [],
      id: newId(),
    };
    const deployDate = new Date(row.deployDate.getTime() + index * 1_000);
    await db.release.create({
      data: { ...copy, environmentId: index % 2 ? staging : qa, version: `1.${index}`, deployDate },
    });
  }
  await publish(admin, await anApk(app.identifier, { versionName: "2.0" }), "app.apk", { environmentId: qa });
  await publish(admin, makeAab({ identifier: app.identifier, versionName: "2.0" }), "app.aab", { environmentId: qa });
  await publish(admin, makeAab({ identifier: app.identifier, versionName: "2.1" }), "app.aab", { environmentId: qa });
});

describe("what can be installed", () => {
  it("is the latest installers of each platform over the environments, and the latest bundle", async () => {
    const item = await itemOf(admin);
    expect(LISTED_INSTALLERS).toBe(6);
    expect(versions(item, "ipa")).toEqual(["1.9", "1.8", "1.7", "1.6", "1.5", "1.4"]);
    expect([versions(item, "apk"), versions(item, "aab")]).toEqual([["2.0"], ["2.1"]]);
    expect(item?.app.iconUrl).not.toBeNull();
    expect(item?.downloadable.toSorted()).toEqual([qa, staging].toSorted());
  });

  it("can be of one environment, or of one application", async () => {
    expect(versions(await itemOf(admin, { appId: app.appId, environmentId: staging }), "ipa")).toEqual([
      "1.9",
      "1.7",
      "1.5",
      "1.3",
      "1.1",
    ]);
    expect(await itemOf(admin, { appId: app.appId }, other.appId)).toBeUndefined();
    expect(await itemOf(admin, {}, other.appId)).toMatchObject({ releases: [], downloadable: [] });
  });

  it("is what the caller can see, with where the caller may download", async () => {
    const reader = await aUser({
      grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId, environmentIds: [qa] }] }],
    });
    const item = await itemOf(reader);
    expect(versions(item, "ipa")).toEqual(["1.8", "1.6", "1.4", "1.2", "1.0"]);
    expect(item?.downloadable).toEqual([]);
    expect(await itemOf(reader, {}, other.appId)).toBeUndefined();
    const stranger = await aUser();
    expect(await itemOf(stranger)).toBeUndefined();
    const editor = await aUser({
      grants: [{ scopes: ["environment:read"], apps: [{ appId: app.appId, environmentIds: [qa] }] }],
    });
    expect((await itemOf(editor))?.releases).toEqual([]);
  });

  it("is loaded by the same number of statements, however many applications there are", async () => {
    const query = vi.spyOn(databasePool(), "query");
    const connect = vi.spyOn(databasePool(), "connect");
    const statements = async (input: Record<string, unknown>) => {
      query.mockClear();
      connect.mockClear();
      await itemOf(admin, input);
      return query.mock.calls.length + connect.mock.calls.length;
    };
    await statements({});
    const one = await statements({ appId: app.appId });
    expect(one).toBeGreaterThan(0);
    expect(await statements({})).toBe(one);
    vi.restoreAllMocks();
  });
});
