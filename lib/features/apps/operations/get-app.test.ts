import { describe, expect, it } from "vitest";
import { SCOPES } from "@/lib/permissions/scopes";
import { anApp, aToken, aUser, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getApp } from "./get-app";

setUpTestDatabase();

describe("get-app", () => {
  it("returns an application to callers with access to one of its environments", async () => {
    const app = await anApp({ name: "Notes", identifier: "com.acme.notes" });
    const reader = await aUser({
      grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId, environmentIds: app.environmentIds }] }],
    });
    const answer = await send(getApp, reader, { id: app.appId });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: app.appId,
      name: "Notes",
      identifier: "com.acme.notes",
      description: null,
      logoUrl: null,
      iconUrl: null,
      status: "active",
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      scopes: [],
    });
  });

  it("returns the scopes that the caller holds in the whole application, not those for single environments", async () => {
    const app = await anApp();
    const mixed = await aUser({
      grants: [
        { scopes: ["release:create"], apps: [{ appId: app.appId }] },
        { scopes: ["environment:write"], apps: [{ appId: app.appId, environmentIds: app.environmentIds }] },
      ],
    });
    expect((await send(getApp, mixed, { id: app.appId })).body.scopes).toEqual(["release:read", "release:create"]);
    const admin = await aUser({ admin: true });
    expect((await send(getApp, admin, { id: app.appId })).body.scopes).toEqual(SCOPES);
  });

  it("answers for an application out of reach exactly as for one that does not exist", async () => {
    const [mine, theirs] = [await anApp(), await anApp()];
    const reader = await aUser({ grants: [{ scopes: ["environment:write"], apps: [{ appId: mine.appId }] }] });
    const token = await aToken({ appId: mine.appId, environmentId: mine.environmentIds[0] as string });
    for (const caller of [reader, token]) {
      expect((await send(getApp, caller, { id: mine.appId })).status).toBe(200);
      const [hidden, missing] = [
        await send(getApp, caller, { id: theirs.appId }),
        await send(getApp, caller, { id: "019a0000-0000-7000-8000-00000000dead" }),
      ];
      expect([hidden.status, hidden.body.code]).toEqual([404, "not_found"]);
      const { requestId: _one, ...told } = hidden.body;
      const { requestId: _other, ...untold } = missing.body;
      expect(told).toEqual(untold);
    }
  });

  it("returns an inactive application only to administrators and writers", async () => {
    const { appId } = await anApp({ status: "inactive" });
    const statusFor = async (options: Parameters<typeof aUser>[0]) =>
      (await send(getApp, await aUser(options), { id: appId })).status;
    expect(await statusFor({ admin: true })).toBe(200);
    expect(await statusFor({ grants: [{ scopes: ["environment:write"], apps: [{ appId }] }] })).toBe(200);
    expect(await statusFor({ grants: [{ scopes: ["release:delete"], apps: [{ appId }] }] })).toBe(404);
  });

  it("refuses a malformed ID", async () => {
    const answer = await send(getApp, await aUser({ admin: true }), { id: "1" });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "id"]);
  });
});
