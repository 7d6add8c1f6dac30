import { describe, expect, it } from "vitest";
import { anApp, aUser, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getEnvironmentsAppsByApp } from "./get-environments-apps-by-app";

setUpTestDatabase();

describe("get-environments-apps-by-app", () => {
  it("returns the environments of each application, sorted by name, in their order, including inactive ones", async () => {
    const admin = await aUser({ admin: true });
    const b = await anApp({ name: "b", environments: [{ name: "z", status: "inactive" }, { name: "a" }] });
    const a = await anApp({ name: "a", environments: [] });
    await anApp({ name: "not asked for" });
    const missing = "019a0000-0000-7000-8000-00000000dead";
    const answer = await send(getEnvironmentsAppsByApp, admin, { appIds: [b.appId, a.appId, missing] });
    expect(answer.status).toBe(200);
    expect(answer.body.items).toMatchObject([
      { app: { id: a.appId, name: "a" }, environments: [] },
      {
        app: { id: b.appId, identifier: b.identifier },
        environments: [
          { name: "z", status: "inactive", appId: b.appId, position: 1 },
          { name: "a", status: "active", appId: b.appId, position: 2 },
        ],
      },
    ]);
    const one = await send(getEnvironmentsAppsByApp, admin, { appIds: b.appId });
    expect(one.body.items).toHaveLength(1);
  });

  it("requires at least one application and well-formed IDs", async () => {
    const admin = await aUser({ admin: true });
    expect((await send(getEnvironmentsAppsByApp, admin)).body.errors[0].path).toBe("appIds");
    const answer = await send(getEnvironmentsAppsByApp, admin, { appIds: ["x", "y"] });
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(["appIds.0", "appIds.1"]);
  });

  it("is only for administrators", async () => {
    const { appId } = await anApp();
    const writer = await aUser({ grants: [{ scopes: ["environment:write"] }] });
    expect((await send(getEnvironmentsAppsByApp, writer, { appIds: [appId] })).status).toBe(403);
  });
});
