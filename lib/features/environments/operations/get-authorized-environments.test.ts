import { beforeAll, describe, expect, it } from "vitest";
import { anApp, aUser, type Caller, send } from "@/lib/testing/console";
import { readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getAuthorizedEnvironments } from "./get-authorized-environments";

setUpTestDatabase();

let admin: Caller;
let orbit: string;
let orbitStaging: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  const made = await anApp({
    name: "Orbit",
    environments: [{ name: "Staging" }, { name: "Production" }, { name: "Old", status: "inactive" }],
  });
  orbit = made.appId;
  orbitStaging = made.environmentIds[0] as string;
  await anApp({ name: "Comet", environments: [{ name: "Staging" }, { name: "50% rollout" }] });
  await anApp({ name: "Retired", status: "inactive", environments: [{ name: "Staging" }] });
});

const found = async (caller: Caller, input: Record<string, unknown> = {}) => {
  const { body } = await send(getAuthorizedEnvironments, caller, input);
  return body.items.map(({ app, name }: { app: { name: string }; name: string }) => `${app.name} ${name}`).sort();
};

describe("get-authorized-environments", () => {
  it("lists every environment for administrators, with its application", async () => {
    const all = ["Comet 50% rollout", "Comet Staging", "Orbit Old", "Orbit Production", "Orbit Staging"];
    expect(await found(admin)).toEqual([...all, "Retired Staging"]);
  });

  it("lists the active environments that a role reaches, with the scopes held there", async () => {
    const caller = await aUser({
      grants: [{ scopes: ["dev-variable:write"], apps: [{ appId: orbit, environmentIds: [orbitStaging] }] }],
    });
    const { body } = await send(getAuthorizedEnvironments, caller, {});
    expect(body.items).toEqual([
      expect.objectContaining({
        id: orbitStaging,
        app: { id: orbit, name: "Orbit" },
        scopes: ["dev-variable:read", "dev-variable:write"],
      }),
    ]);
    expect(await found(await aUser({}))).toEqual([]);
  });

  it("finds each word of a search in the name of the environment or of the application", async () => {
    expect(await found(admin, { search: "STAG  orb" })).toEqual(["Orbit Staging"]);
    expect(await found(admin, { search: "50%" })).toEqual(["Comet 50% rollout"]);
    expect(await found(admin, { search: "staging nowhere" })).toEqual([]);
  });

  it("gives each environment once over its pages", async () => {
    const { pages, totals } = await readPages(getAuthorizedEnvironments, admin, { limit: 2 });
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(6);
    expect(totals).toEqual([6, 6, 6]);
  });
});
