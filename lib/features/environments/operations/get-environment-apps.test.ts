import { beforeAll, describe, expect, it } from "vitest";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getEnvironmentApps } from "./get-environment-apps";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({
    environments: [
      { name: "alpha" },
      { name: "beta", status: "inactive" },
      { name: "delta", identifiers: ["com.acme.delta"] },
      { name: "gamma_1" },
      { name: "gammaX1" },
      { name: "100%" },
      { name: "1000" },
    ],
  });
  await anApp({ environments: [{ name: "elsewhere" }] });
});

const names = async (input: Record<string, unknown>) =>
  (await send(getEnvironmentApps, admin, { appId: app.appId, ...input })).body.items
    .map(({ name }: { name: string }) => name)
    .sort();

describe("get-environment-apps", () => {
  it("lists all environments of the application, including inactive ones, and of no other", async () => {
    const { body } = await send(getEnvironmentApps, admin, { appId: app.appId });
    expect(body.total).toBe(7);
    const byName = new Map(body.items.map((item: { name: string }) => [item.name, item]));
    expect(byName.get("beta")).toMatchObject({ status: "inactive" });
    expect(byName.get("delta")).toEqual({
      id: app.environmentIds[2],
      appId: app.appId,
      name: "delta",
      status: "active",
      identifiers: ["com.acme.delta"],
      position: 3,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.any(String),
    });
  });

  it.each(["name", "-name", "createdAt", "-createdAt"])(
    "returns each environment once over three pages in the order of %s",
    async (sort) => {
      const paged = await anApp({ environments: ["a", "b", "c", "d", "e"].map((name) => ({ name })) });
      const all = (await send(getEnvironmentApps, admin, { appId: paged.appId })).body.items;
      const { pages, totals } = await readPages(getEnvironmentApps, admin, { appId: paged.appId, sort, limit: 2 });
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(totals).toEqual([5, 5, 5]);
      expect(pages.flat().map(({ id }) => id)).toEqual(inOrder(all as { id: string }[], sort).map(({ id }) => id));
    },
  );

  it("filters by status and search, with % and _ as literals", async () => {
    expect(await names({ status: "inactive" })).toEqual(["beta"]);
    expect(await names({ search: "GAMMA" })).toEqual(["gammaX1", "gamma_1"]);
    expect(await names({ search: "gamma_1" })).toEqual(["gamma_1"]);
    expect(await names({ search: "100%" })).toEqual(["100%"]);
  });

  it("answers 404 for an unknown application", async () => {
    const answer = await send(getEnvironmentApps, admin, { appId: "019a0000-0000-7000-8000-00000000dead" });
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
  });

  it("requires an application", async () => {
    const answer = await send(getEnvironmentApps, admin);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "appId"]);
  });

  it("is only for administrators", async () => {
    const writer = await aUser({ grants: [{ scopes: ["environment:write"] }] });
    expect((await send(getEnvironmentApps, writer, { appId: app.appId })).status).toBe(403);
  });
});
