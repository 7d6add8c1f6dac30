import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getApiTokens } from "./get-api-tokens";

setUpTestDatabase();

type Made = Awaited<ReturnType<typeof anApp>>;
let admin: TestUser;
let app: Made;
let other: Made;

/** Creates a token with a name, an expiry and a creation time. */
async function named(place: { appId: string; environmentId: string }, name: string, days = 1) {
  const made = await aToken({ ...place, validUntil: new Date(Date.UTC(2030, 0, days)) });
  await db.apiToken.update({
    where: { id: made.tokenId },
    data: { name, createdAt: new Date(Date.UTC(2026, 0, days)) },
  });
  return made;
}

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
  other = await anApp();
});

const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);

describe("get-api-tokens", () => {
  it("returns all fields of a token except the token itself and its hash", async () => {
    const place = { appId: app.appId, environmentId: app.environmentIds[0] as string };
    const { tokenId, token } = await named(place, "shown");
    const answer = await send(getApiTokens, admin, { search: "shown" });
    expect(answer.body.items).toEqual([
      {
        id: tokenId,
        name: "shown",
        app: { id: app.appId, name: app.name },
        environment: { id: place.environmentId, name: "One" },
        identifiers: ["server"],
        scopes: ["release:create", "release:download"],
        prefix: token.slice(0, 12),
        validUntil: "2030-01-01T00:00:00.000Z",
        lastUsedAt: null,
        createdAt: "2026-01-01T00:00:00.000Z",
      },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain(token.slice(12));
  });

  it("includes expired tokens, but no deleted ones", async () => {
    const place = { appId: app.appId, environmentId: app.environmentIds[0] as string };
    const over = await aToken({ ...place, validUntil: new Date(0) });
    const deleted = await aToken(place);
    await db.apiToken.update({ where: { id: deleted.tokenId }, data: { revokedAt: new Date() } });
    const shown = ids((await send(getApiTokens, admin, { limit: 100 })).body);
    expect(shown).toContain(over.tokenId);
    expect(shown).not.toContain(deleted.tokenId);
  });

  it("filters by application and environment", async () => {
    const [one, two] = app.environmentIds as [string, string];
    const inOne = await named({ appId: app.appId, environmentId: one }, "kept one");
    const inTwo = await named({ appId: app.appId, environmentId: two }, "kept two");
    const elsewhere = await named(
      { appId: other.appId, environmentId: other.environmentIds[0] as string },
      "kept elsewhere",
    );
    const kept = async (filter: Record<string, string>) =>
      ids((await send(getApiTokens, admin, { search: "kept", sort: "name", ...filter })).body);
    expect(await kept({})).toEqual([elsewhere.tokenId, inOne.tokenId, inTwo.tokenId]);
    expect(await kept({ appId: app.appId })).toEqual([inOne.tokenId, inTwo.tokenId]);
    expect(await kept({ environmentId: two })).toEqual([inTwo.tokenId]);
    expect(await kept({ appId: other.appId, environmentId: two })).toEqual([]);
  });

  it.each(["-createdAt", "createdAt", "name", "-name", "validUntil", "-validUntil"])(
    "returns each token once over three pages in the order of %s",
    async (sort) => {
      const paged = await anApp();
      const place = { appId: paged.appId, environmentId: paged.environmentIds[0] as string };
      // Some share a time and a name, so that the order depends on the ID.
      for (const [name, days] of [
        ["a", 2],
        ["b", 2],
        ["b", 1],
        ["c", 3],
        ["d", 2],
      ] as const) {
        await named(place, name, days);
      }
      const input = { appId: paged.appId };
      const all = (await send(getApiTokens, admin, input)).body.items;
      const { pages, totals } = await readPages(getApiTokens, admin, { ...input, sort, limit: 2 });
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(totals).toEqual([5, 5, 5]);
      expect(pages.flat().map(({ id }) => id)).toEqual(inOrder(all as { id: string }[], sort).map(({ id }) => id));
    },
  );

  it("lists the newest first by default", async () => {
    const { appId, environmentIds } = await anApp();
    const place = { appId, environmentId: environmentIds[0] as string };
    const [old, young] = [await named(place, "a", 1), await named(place, "b", 2)];
    expect(ids((await send(getApiTokens, admin, { appId })).body)).toEqual([young.tokenId, old.tokenId]);
  });

  it("finds by name, with % and _ as literals", async () => {
    const { appId, environmentIds } = await anApp();
    const place = { appId, environmentId: environmentIds[0] as string };
    await named(place, "ci_1");
    await named(place, "ciX1");
    await named(place, "100%");
    const names = async (search: string) =>
      (await send(getApiTokens, admin, { appId, search })).body.items.map(({ name }: { name: string }) => name);
    expect(await names("CI_1")).toEqual(["ci_1"]);
    expect(await names("%")).toEqual(["100%"]);
  });

  it("refuses unknown orders and filters", async () => {
    for (const input of [{ sort: "scopes" }, { status: "active" }, { appId: "x" }]) {
      const answer = await send(getApiTokens, admin, input);
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, Object.keys(input)[0]]);
    }
  });

  it("refuses a cursor with an invalid time", async () => {
    const cursor = btoa(encodeURIComponent(JSON.stringify(["validUntil", "soon", app.appId])));
    const answer = await send(getApiTokens, admin, { sort: "validUntil", cursor });
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([422, "cursor"]);
  });

  it("is only for administrators", async () => {
    const writer = await aUser({ grants: [{ scopes: ["environment:write"] }] });
    expect((await send(getApiTokens, writer)).status).toBe(403);
  });
});
