import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { keepRelease, keptCharacters, keptRelease, MAX_AGE_MS, MAX_KEPT_CHARACTERS } from "./internal/kept-releases";
import { deleteTestingDeploy } from "./operations/delete-testing-deploy";
import { getTestingDeployById } from "./operations/get-testing-deploy-by-id";
import { getTestingDeploys } from "./operations/get-testing-deploys";
import { getTestingDeploysByApp } from "./operations/get-testing-deploys-by-app";
import { type Release, releaseSchema } from "./schema";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let id: string;
let other: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
});

async function makeReleases(): Promise<void> {
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  other = (await aRelease(admin, { identifier: app.identifier, environmentId }, { version: "1.0" })).id;
  id = (await aRelease(admin, { identifier: app.identifier, environmentId }, { version: "2.0" })).id;
  await listed();
}

async function listed(): Promise<Release | undefined> {
  const { body } = await send(getTestingDeploys, admin, { environmentId, limit: 100 });
  return body.items.find((item: Release) => item.id === id);
}

/** The release as it is answered by itself, which is read each time. */
async function readAlone(): Promise<Release> {
  return releaseSchema.parse((await send(getTestingDeployById, admin, { id })).body);
}

describe("a release in a list", () => {
  beforeAll(makeReleases);

  it.each([
    // A release with a name of its own no longer shows that of its file.
    ["File", `"name" = 'other.ipa'`],
    ["File", `"sha256" = repeat('0', 64)`],
    ["Release", `"version" = '9.9'`],
    ["Release", `"buildNumber" = '99'`],
    ["Release", `"identifier" = 'com.example.other'`],
    ["Release", `"displayName" = 'Other'`],
    ["Release", `"description" = '**Other**'`],
    ["Release", `"iosEnabled" = NOT "iosEnabled"`],
    ["Release", `"mandatory" = NOT "mandatory"`],
    ["Release", `"fileName" = 'another.ipa'`],
    ["Release", `"minOs" = '99.0'`],
    ["Release", `"metadata" = '{"gitCommit":"abc"}'`],
    ["Release", `"installer" = jsonb_set("installer"::jsonb, '{teamName}', '"Other"')`],
    ["Release", `"downloadCount" = "downloadCount" + 1`],
    ["Release", `"deployDate" = "deployDate" - interval '1 hour'`],
    ["Environment", `"name" = 'Other'`],
    ["App", `"name" = 'Other'`],
    ["App", `"identifier" = "identifier" || '.other'`],
    ["Platform", `"name" = "name" || ' other'`],
    ["User", `"firstNames" = "firstNames" || ' other'`],
    // The last one: the user is not found by the release afterwards.
    ["Release", `"createdByUser" = NULL`],
  ])("changes with %s when %s", async (table, change) => {
    const before = await listed();
    const row = await db.release.findUniqueOrThrow({ where: { id } });
    const changed: Record<string, string | null> = {
      Release: id,
      File: row.fileId,
      Environment: environmentId,
      App: app.appId,
      Platform: row.platformId,
      User: row.createdByUser,
    };
    await databasePool().query(`UPDATE "${table}" SET ${change} WHERE "id" = $1`, [changed[table]]);
    const after = await listed();
    expect(after).not.toEqual(before);
    expect(after).toEqual(await readAlone());
  });
});

describe("a release that is listed again", () => {
  beforeEach(makeReleases);

  it("changes with the API token that published it", async () => {
    const { tokenId } = await aToken({ appId: app.appId, environmentId });
    await db.release.update({ where: { id }, data: { createdByUser: null, createdByToken: tokenId } });
    expect((await listed())?.createdBy).toMatchObject({ kind: "token", name: "CI" });
    await db.apiToken.update({ where: { id: tokenId }, data: { name: "Nightly" } });
    expect((await listed())?.createdBy).toMatchObject({ kind: "token", name: "Nightly" });
  });

  it("is gone once it is deleted", async () => {
    expect((await send(deleteTestingDeploy, admin, { id })).status).toBe(204);
    expect(await listed()).toBeUndefined();
  });

  it("is not shown to a caller whose role has lost it, or whose token was revoked", async () => {
    const apps = [{ appId: app.appId, environmentIds: [environmentId] }];
    const reader = await aUser({ grants: [{ scopes: ["release:read"], apps }] });
    const token = await aToken({ appId: app.appId, environmentId, scopes: ["release:read"] });
    for (const caller of [reader, token])
      expect((await send(getTestingDeploys, caller, { environmentId })).status).toBe(200);
    await db.rolePermission.deleteMany({ where: { roleId: reader.roleId } });
    await db.apiToken.update({ where: { id: token.tokenId }, data: { revokedAt: new Date() } });
    expect((await send(getTestingDeploys, reader, { environmentId })).status).toBe(404);
    expect((await send(getTestingDeploys, token, { environmentId })).status).toBe(401);
  });

  it("is read again only if it has changed", async () => {
    const query = vi.spyOn(databasePool(), "query");
    const readIds = () =>
      query.mock.calls.flatMap(([statement]) => {
        const { text, values } = statement as unknown as { text: string; values: unknown[] };
        return text.includes('"storageKey"') ? values : [];
      });
    await listed();
    await send(getTestingDeploysByApp, admin, { appId: app.appId });
    expect(readIds()).toEqual([]);
    await db.release.update({ where: { id }, data: { downloadCount: { increment: 1 } } });
    await listed();
    expect(readIds()).toEqual([[id]]);
    query.mockRestore();
  });
});

describe("the page of a list", () => {
  beforeEach(makeReleases);

  it("is read again if a release is deleted while it is read", async () => {
    await db.release.update({ where: { id }, data: { downloadCount: { increment: 1 } } });
    const pool = databasePool();
    const query = pool.query.bind(pool) as (statement: { text: string }) => Promise<unknown>;
    const spy = vi.spyOn(pool, "query").mockImplementation((async (statement: { text: string }) => {
      if (statement.text.includes('"storageKey"')) await db.release.deleteMany({ where: { id } });
      return query(statement);
    }) as unknown as typeof pool.query);
    const { status, body } = await send(getTestingDeploys, admin, { environmentId, limit: 1 });
    spy.mockRestore();
    expect(status).toBe(200);
    expect(body.items).toMatchObject([{ id: other }]);
    expect(body.nextCursor).toBeNull();
  });
});

describe("the releases that are kept", () => {
  beforeAll(makeReleases);

  it("have a limited size, and those that were not answered for longest are dropped", async () => {
    const { body } = await send(getTestingDeployById, admin, { id: other });
    const long = (description: string): Release => ({ ...(body as Release), id: newId(), description });
    const first = keepRelease("1", long("first"));
    const second = keepRelease("1", long("second"));
    for (let size = 0; size <= MAX_KEPT_CHARACTERS; size += 100_000) {
      keepRelease("1", long("x".repeat(100_000)));
      expect(keptRelease(first.id, "1")).toBe(first);
      expect(keptCharacters()).toBeLessThanOrEqual(MAX_KEPT_CHARACTERS);
    }
    expect(keptRelease(second.id, "1")).toBeUndefined();
    expect(keptRelease(first.id, "2")).toBeUndefined();
  });

  it("are not kept longer than ten minutes", async () => {
    const { body } = await send(getTestingDeployById, admin, { id: other });
    const { id: keptId } = keepRelease("1", { ...(body as Release), id: newId() });
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now + MAX_AGE_MS - 1_000);
    expect(keptRelease(keptId, "1")).toBeDefined();
    clock.mockReturnValue(now + MAX_AGE_MS + 1_000);
    expect(keptRelease(keptId, "1")).toBeUndefined();
    clock.mockRestore();
  });
});
