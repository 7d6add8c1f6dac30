import { beforeAll, describe, expect, it } from "vitest";
import { anApp, aUser, type Caller, send } from "@/lib/testing/console";
import { statementsOf } from "@/lib/testing/plans";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getNavigation } from "./get-navigation";

setUpTestDatabase();

let admin: Caller;
let orbit: { appId: string; environmentIds: string[] };
let fresh: { appId: string };

beforeAll(async () => {
  admin = await aUser({ admin: true });
  orbit = await anApp({
    name: "Orbit",
    environments: [{ name: "Staging" }, { name: "Production" }, { name: "Old", status: "inactive" }],
  });
  fresh = await anApp({ name: "Fresh", environments: [] });
  await anApp({ name: "Retired", status: "inactive", environments: [{ name: "Staging" }] });
});

const listed = async (caller: Caller) => {
  const { body } = await send(getNavigation, caller, {});
  return body.apps.map((app: { name: string; environments: { name: string }[] }) =>
    [app.name, ...app.environments.map(({ name }) => name)].join(" "),
  );
};

describe("get-navigation", () => {
  it("lists every application for administrators, also those without an environment, by name", async () => {
    expect(await listed(admin)).toEqual(["Fresh", "Orbit Staging Production Old", "Retired Staging"]);
  });

  it("lists the active environments that a role reaches, with the scopes held there", async () => {
    const [staging] = orbit.environmentIds as [string];
    const grants = [{ scopes: ["release:create" as const], apps: [{ appId: orbit.appId, environmentIds: [staging] }] }];
    const { body } = await send(getNavigation, await aUser({ grants }), {});
    expect(body.apps).toMatchObject([
      { id: orbit.appId, environments: [{ id: staging, scopes: ["release:read", "release:create"] }] },
    ]);
    expect(await listed(await aUser({}))).toEqual([]);
  });

  it("lists an application without an environment for a role that may add one", async () => {
    const grants = [{ scopes: ["environment:write" as const], apps: [{ appId: fresh.appId }] }];
    expect(await listed(await aUser({ grants }))).toEqual(["Fresh"]);
  });

  it("lists the first ten environments and says that there are more", async () => {
    const environments = Array.from({ length: 11 }, (_, index) => ({ name: `E${String(index).padStart(2, "0")}` }));
    const { appId } = await anApp({ name: "Wide", environments });
    const { body } = await send(getNavigation, admin, {});
    const wide = body.apps.find(({ id }: { id: string }) => id === appId);
    expect([wide.environments.length, wide.environments[9].name, wide.hasMoreEnvironments]).toEqual([10, "E09", true]);
    expect(body.hasMoreApps).toBe(false);
  });

  it("reads all of it in one statement", async () => {
    const read = await statementsOf(() => send(getNavigation, admin, {}));
    expect(read.filter(({ text }) => text.includes('"App"'))).toHaveLength(1);
  });
});
