import { beforeAll, describe, expect, it } from "vitest";
import { anApp, aToken, aUser, type Caller, send } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getAuthorizedApps } from "./get-authorized-apps";

setUpTestDatabase();

type Made = Awaited<ReturnType<typeof anApp>>;
let whole: Made;
let single: Made;
let other: Made;
let halfOff: Made;
let appOff: Made;
let empty: Made;

beforeAll(async () => {
  whole = await anApp({ name: "whole" });
  single = await anApp({ name: "single", environments: [{ name: "One" }, { name: "Two" }] });
  other = await anApp({ name: "other" });
  halfOff = await anApp({ name: "half off", environments: [{ name: "On" }, { name: "Off", status: "inactive" }] });
  appOff = await anApp({ name: "app off", status: "inactive" });
  empty = await anApp({ name: "empty", environments: [] });
});

const names = async (caller: Caller) =>
  (await send(getAuthorizedApps, caller)).body.items.map(({ name }: { name: string }) => name);

describe("get-authorized-apps", () => {
  it("lists the active applications in which a role reaches an active environment, by any scope", async () => {
    const [on, off] = halfOff.environmentIds as [string, string];
    const reader = await aUser({
      grants: [
        { scopes: ["dev-variable:read"], apps: [{ appId: whole.appId }] },
        {
          scopes: ["release:read"],
          apps: [{ appId: single.appId, environmentIds: [single.environmentIds[1] as string] }],
        },
        { scopes: ["environment:write"], apps: [{ appId: appOff.appId }, { appId: empty.appId }] },
        { scopes: ["environment:write"], apps: [{ appId: halfOff.appId, environmentIds: [off] }] },
      ],
    });
    expect(await names(reader)).toEqual(["single", "whole"]);
    const other = await aUser({
      grants: [{ scopes: ["release:read"], apps: [{ appId: halfOff.appId, environmentIds: [on] }] }],
    });
    expect(await names(other)).toEqual(["half off"]);
  });

  it("lists all active applications with an active environment to administrators and to roles for all apps", async () => {
    const everything = ["half off", "other", "single", "whole"];
    expect(await names(await aUser({ admin: true }))).toEqual(everything);
    expect(await names(await aUser({ grants: [{ scopes: ["release:read"] }] }))).toEqual(everything);
  });

  it("lists nothing for a role without permissions", async () => {
    const { body } = await send(getAuthorizedApps, await aUser());
    expect(body).toEqual({ items: [], nextCursor: null, total: 0 });
  });

  it("returns applications without the fields for administrators", async () => {
    const reader = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId: other.appId }] }] });
    const { body } = await send(getAuthorizedApps, reader);
    expect(Object.keys(body.items[0]).sort()).toEqual(
      ["createdAt", "description", "iconUrl", "id", "identifier", "logoUrl", "name", "status", "updatedAt"].sort(),
    );
  });

  it.each(["name", "-name", "identifier", "-identifier", "createdAt", "-createdAt"])(
    "returns exactly what is within reach over three pages in the order of %s",
    async (sort) => {
      const reached = await Promise.all(["a", "b", "c", "d", "e"].map((letter) => anApp({ name: `paged ${letter}` })));
      await anApp({ name: "paged f" });
      const reader = await aUser({
        grants: [{ scopes: ["release:read"], apps: reached.map(({ appId }) => ({ appId })) }],
      });
      const all = (await send(getAuthorizedApps, reader)).body.items;
      const { pages, totals } = await readPages(getAuthorizedApps, reader, { sort, limit: 2 });
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(totals).toEqual([5, 5, 5]);
      expect(pages.flat().map(({ id }) => id)).toEqual(inOrder(all as { id: string }[], sort).map(({ id }) => id));
    },
  );

  it("searches only within reach", async () => {
    const reader = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId: whole.appId }] }] });
    expect((await send(getAuthorizedApps, reader, { search: "WHO" })).body.total).toBe(1);
    expect((await send(getAuthorizedApps, reader, { search: "other" })).body.total).toBe(0);
    expect((await send(getAuthorizedApps, reader, { search: "%" })).body.total).toBe(0);
  });

  it("is only for users: a token belongs to one environment", async () => {
    const token = await aToken({ appId: whole.appId, environmentId: whole.environmentIds[0] as string });
    expect((await send(getAuthorizedApps, token)).status).toBe(403);
  });

  it("refuses an unknown filter", async () => {
    const answer = await send(getAuthorizedApps, await aUser(), { status: "inactive" });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "status"]);
  });
});
