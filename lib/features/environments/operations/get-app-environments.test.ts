import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "@/lib/permissions/scopes";
import { anApp, aToken, aUser, type Caller, send, type TestGrant } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getAppEnvironments } from "./get-app-environments";
import { getAuthorizedEnvironmentsByApp } from "./get-authorized-environments-by-app";

setUpTestDatabase();

type Made = Awaited<ReturnType<typeof anApp>>;
let app: Made;
let appOff: Made;
let on: string;
let other: string;
let off: string;

beforeAll(async () => {
  const environments = [{ name: "on" }, { name: "other" }, { name: "off", status: "inactive" as const }];
  app = await anApp({ environments });
  [on, other, off] = app.environmentIds as [string, string, string];
  appOff = await anApp({ status: "inactive", environments });
});

/** A user with scopes in some environments, or in all of an app. */
const holder = (...grants: [TestGrant["scopes"], string, string[]?][]) =>
  aUser({ grants: grants.map(([scopes, appId, environmentIds]) => ({ scopes, apps: [{ appId, environmentIds }] })) });

describe.each([
  ["get-app-environments", getAppEnvironments],
  ["get-authorized-environments-by-app", getAuthorizedEnvironmentsByApp],
] as const)("%s", (_name, operation) => {
  const scopesByName = async (caller: Caller, appId = app.appId) => {
    const { status, body } = await send(operation, caller, { appId });
    if (status !== 200) return status;
    expect(body.total).toBe(body.items.length);
    return Object.fromEntries(body.items.map(({ name, scopes }: { name: string; scopes: string[] }) => [name, scopes]));
  };

  it("lists the active environments that a role reaches, each with the scopes held there", async () => {
    const caller = await holder([["release:create"], app.appId, [on]], [["dev-variable:write"], app.appId, [on, off]]);
    expect(await scopesByName(caller)).toEqual({
      on: ["release:read", "release:create", "dev-variable:read", "dev-variable:write"],
    });
  });

  it("lists every active environment to a caller with a scope in the whole application", async () => {
    expect(await scopesByName(await holder([["release:read"], app.appId]))).toEqual({
      on: ["release:read"],
      other: ["release:read"],
    });
  });

  it("adds the inactive ones for administrators, and for writers where they may write", async () => {
    expect(Object.keys((await scopesByName(await aUser({ admin: true }))) as object)).toEqual(["on", "other", "off"]);
    expect(await scopesByName(await holder([["environment:write"], app.appId, [off]]))).toEqual({
      off: ["environment:read", "environment:write"],
    });
    const mixed = await holder([["release:read"], app.appId], [["environment:write"], app.appId, [other]]);
    expect(Object.keys((await scopesByName(mixed)) as object)).toEqual(["on", "other"]);
  });

  it("returns every scope for administrators", async () => {
    expect(await scopesByName(await aUser({ admin: true }))).toMatchObject({ on: SCOPES, off: SCOPES });
  });

  it("hides an inactive application and its environments from callers who may not write there", async () => {
    const [offOn] = appOff.environmentIds as [string];
    expect(await scopesByName(await holder([["release:delete"], appOff.appId]), appOff.appId)).toBe(404);
    const writer = await holder([["environment:write"], appOff.appId, [offOn]], [["release:read"], appOff.appId]);
    expect(Object.keys((await scopesByName(writer, appOff.appId)) as object)).toEqual(["on"]);
  });

  it("returns a token's own environment", async () => {
    const token = await aToken({ appId: app.appId, environmentId: on, scopes: ["environment:read"] });
    expect(await scopesByName(token)).toEqual({ on: ["environment:read"] });
  });

  it("answers 404 for an application out of reach as for an unknown one", async () => {
    const caller = await holder([["release:read"], appOff.appId]);
    expect(await scopesByName(caller)).toBe(404);
    expect(await scopesByName(caller, "019a0000-0000-7000-8000-00000000dead")).toBe(404);
    expect(await scopesByName(await aUser())).toBe(404);
  });

  it.each(["name", "-name", "createdAt", "-createdAt"])(
    "returns exactly what is within reach over three pages in the order of %s",
    async (sort) => {
      const paged = await anApp({ environments: ["a", "b", "c", "d", "e", "f"].map((name) => ({ name })) });
      const caller = await holder([["release:read"], paged.appId, paged.environmentIds.slice(0, 5)]);
      const all = (await send(operation, caller, { appId: paged.appId })).body.items;
      const { pages, totals } = await readPages(operation, caller, { appId: paged.appId, sort, limit: 2 });
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(totals).toEqual([5, 5, 5]);
      expect(pages.flat().map(({ id }) => id)).toEqual(inOrder(all as { id: string }[], sort).map(({ id }) => id));
    },
  );

  it("searches only within reach, with % and _ as literals", async () => {
    const found = await anApp({
      environments: [{ name: "qa_1" }, { name: "qaX1" }, { name: "50%" }, { name: "qa_1 b" }],
    });
    const caller = await holder([["release:read"], found.appId, found.environmentIds.slice(0, 3)]);
    const names = async (search: string) =>
      (await send(operation, caller, { appId: found.appId, search })).body.items.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names("QA_1")).toEqual(["qa_1"]);
    expect(await names("%")).toEqual(["50%"]);
  });

  it("filters by environment within reach", async () => {
    const paged = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [one, two] = paged.environmentIds as [string, string];
    const reader = await holder([["release:read"], paged.appId, [one]]);
    const list = async (environmentId: string) =>
      (await send(operation, reader, { appId: paged.appId, environmentId })).body;
    expect(await list(one)).toMatchObject({ items: [{ id: one, scopes: ["release:read"] }], total: 1 });
    expect(await list(two)).toEqual({ items: [], nextCursor: null, total: 0 });
  });

  it("filters by status within reach", async () => {
    const reader = await holder([["release:read"], app.appId]);
    const { body } = await send(operation, reader, { appId: app.appId, status: "inactive" });
    expect(body).toEqual({ items: [], nextCursor: null, total: 0 });
  });
});
