import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getApps } from "./get-apps";

setUpTestDatabase();

let admin: TestUser;

/** Releases of an environment, by their dates. */
async function releases(environmentId: string, dates: string[]): Promise<void> {
  const platform = await db.platform.findFirstOrThrow({ where: { kind: "ios" } });
  const fileId = newId();
  await db.file.create({
    data: {
      id: fileId,
      storageKey: fileId,
      name: "a.ipa",
      contentType: "application/octet-stream",
      purpose: "installer",
    },
  });
  await db.release.createMany({
    data: dates.map((date) => ({
      id: newId(),
      environmentId,
      platformId: platform.id,
      fileId,
      version: "1.0",
      buildNumber: "1",
      identifier: "com.acme.app",
      displayName: "App",
      description: "First",
      iosEnabled: false,
      installer: {},
      metadata: {},
      deployDate: new Date(date),
    })),
  });
}

beforeAll(async () => {
  admin = await aUser({ admin: true });
  // Some share a name or a time, so that the order depends on the ID.
  for (const [index, name] of ["paged a", "paged b", "paged b", "paged c", "paged d", "paged e", "paged f"].entries()) {
    const { appId } = await anApp({ name, identifier: `com.paged.a${9 - index}` });
    const createdAt = new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3)));
    await db.app.update({ where: { id: appId }, data: { createdAt } });
  }
});

describe("get-apps", () => {
  it("counts environments and releases of all environments, and returns the date of the latest release", async () => {
    const { appId, environmentIds } = await anApp({
      name: "counted",
      environments: [{ name: "One" }, { name: "Two", status: "inactive" }, { name: "Three" }],
    });
    await releases(environmentIds[0] as string, ["2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z"]);
    await releases(environmentIds[1] as string, ["2026-02-01T00:00:00Z"]);
    const empty = await anApp({ name: "counted empty", environments: [] });

    const { body } = await send(getApps, admin, { search: "counted" });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([appId, empty.appId]);
    expect(body.items[0]).toMatchObject({
      environmentCount: 3,
      releaseCount: 3,
      lastReleaseAt: "2026-03-01T00:00:00.000Z",
    });
    expect(body.items[1]).toMatchObject({ environmentCount: 0, releaseCount: 0, lastReleaseAt: null });
  });

  it("runs as many statements for one application as for many", async () => {
    const pool = databasePool();
    const queries: string[] = [];
    const count = async (search: string) => {
      queries.length = 0;
      await send(getApps, admin, { search });
      return queries.length;
    };
    const clients = new Set<object>();
    pool.on("acquire", (client) => {
      if (clients.has(client)) return;
      clients.add(client);
      const query = client.query.bind(client) as (...values: unknown[]) => unknown;
      Object.assign(client, {
        query: (...values: unknown[]) => {
          queries.push(String((values[0] as { text?: string }).text ?? values[0]));
          return query(...values);
        },
      });
    });
    await count("paged");
    const many = await count("paged");
    expect(many).toBeGreaterThan(0);
    expect(await count("paged a")).toBe(many);
  });

  it.each(["name", "-name", "identifier", "-identifier", "createdAt", "-createdAt"])(
    "returns each application once over three pages in the order of %s",
    async (sort) => {
      const all = (await send(getApps, admin, { search: "paged", limit: 100 })).body.items;
      const { pages, totals } = await readPages(getApps, admin, { search: "paged", sort, limit: 3 });
      expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
      expect(totals).toEqual([7, 7, 7]);
      expect(pages.flat().map(({ id }) => id)).toEqual(inOrder(all as { id: string }[], sort).map(({ id }) => id));
    },
  );

  it("neither repeats nor skips rows when a row is inserted before the current page", async () => {
    const first = await send(getApps, admin, { search: "paged", limit: 3 });
    const { appId } = await anApp({ name: "paged 0" });
    const second = await send(getApps, admin, { search: "paged", limit: 3, cursor: first.body.nextCursor });
    await db.app.delete({ where: { id: appId } });
    const names = [...first.body.items, ...second.body.items].map(({ name }) => name);
    expect(names).toEqual(["paged a", "paged b", "paged b", "paged c", "paged d", "paged e"]);
  });

  it("refuses a malformed cursor and one of another order", async () => {
    const { body } = await send(getApps, admin, { search: "paged", limit: 3 });
    for (const cursor of ["x", btoa("[]"), btoa(JSON.stringify(["name", 5, "id"]))]) {
      const answer = await send(getApps, admin, { cursor });
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, "cursor"]);
    }
    const answer = await send(getApps, admin, { cursor: body.nextCursor, sort: "-name" });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "cursor"]);
  });

  it("finds by name and identifier, ignoring case and with % and _ as literals", async () => {
    await anApp({ name: "100% Grün", identifier: "com.search_me.one" });
    await anApp({ name: "100 Grau", identifier: "com.searchXme.two" });
    const names = async (search: string) =>
      (await send(getApps, admin, { search })).body.items.map(({ name }: { name: string }) => name);
    expect(await names("gr")).toEqual(["100% Grün", "100 Grau"].sort());
    expect(await names("100%")).toEqual(["100% Grün"]);
    expect(await names("%")).toEqual(["100% Grün"]);
    expect(await names("GRÜN")).toEqual(["100% Grün"]);
    expect(await names("SEARCH_ME")).toEqual(["100% Grün"]);
    expect(await names("h\\_m")).toEqual([]);
    expect(await names("nothing of the kind")).toEqual([]);
  });

  it("filters by status", async () => {
    await anApp({ name: "status on" });
    const off = await anApp({ name: "status off", status: "inactive" });
    const { body } = await send(getApps, admin, { search: "status", status: "inactive" });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([off.appId]);
    expect(body.total).toBe(1);
  });

  it("refuses unknown sorts, filters and limits", async () => {
    for (const input of [{ sort: "releaseCount" }, { status: "deleted" }, { limit: 0 }, { limit: 101 }, { page: 2 }]) {
      const answer = await send(getApps, admin, input);
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, Object.keys(input)[0]]);
    }
  });

  it("is only for administrators", async () => {
    const reader = await aUser({ grants: [{ scopes: ["environment:write"] }] });
    expect((await send(getApps, reader)).status).toBe(403);
  });
});
