import { describe, expect, it } from "vitest";
import { env } from "@/lib/kernel/env";
import { anApp, aToken, aUser, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getEnvironmentApp } from "./get-environment-app";

setUpTestDatabase();

describe("get-environment-app", () => {
  it("returns an environment with its app, the caller's scopes and the values to connect to it", async () => {
    const app = await anApp({ environments: [{ name: "Staging", identifiers: ["com.acme.staging"] }] });
    const [id] = app.environmentIds as [string];
    const reader = await aUser({
      grants: [{ scopes: ["environment:read"], apps: [{ appId: app.appId, environmentIds: [id] }] }],
    });
    const answer = await send(getEnvironmentApp, reader, { id });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id,
      appId: app.appId,
      name: "Staging",
      status: "active",
      identifiers: ["com.acme.staging"],
      scopes: ["environment:read"],
      app: { id: app.appId, identifier: app.identifier, name: app.name },
    });
    const { server, mobile, cli } = answer.body.configuration;
    expect(server).toMatchObject({ baseUrl: env.APP_URL, applicationId: app.appId, environmentId: id });
    expect(mobile.identifiers).toEqual([app.identifier, "com.acme.staging"]);
    expect(cli.curl).toContain(`app=${app.identifier}`);
  });

  it("builds its URLs from the configured URL, not from the request's host", async () => {
    const app = await anApp();
    const admin = await aUser({ admin: true });
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
    const answer = await send(getEnvironmentApp, admin, { id: app.environmentIds[0] }, { headers });
    expect(JSON.stringify(answer.body)).not.toContain("evil");
  });

  it("is refused with 403 if the caller holds another scope there, and with 404 if none", async () => {
    const app = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [one, two] = app.environmentIds as [string, string];
    const reader = await aUser({
      grants: [{ scopes: ["release:delete"], apps: [{ appId: app.appId, environmentIds: [one] }] }],
    });
    expect((await send(getEnvironmentApp, reader, { id: one })).status).toBe(403);
    expect((await send(getEnvironmentApp, reader, { id: two })).status).toBe(404);
    expect((await send(getEnvironmentApp, reader, { id: app.appId })).status).toBe(404);
  });

  it("accepts a token of the environment with the scope, and no other token", async () => {
    const app = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [one, two] = app.environmentIds as [string, string];
    const reading = await aToken({ appId: app.appId, environmentId: one, scopes: ["environment:read"] });
    const uploading = await aToken({ appId: app.appId, environmentId: one, scopes: ["release:create"] });
    expect((await send(getEnvironmentApp, reading, { id: one })).status).toBe(200);
    expect((await send(getEnvironmentApp, reading, { id: two })).status).toBe(404);
    expect((await send(getEnvironmentApp, uploading, { id: one })).status).toBe(403);
  });

  it("hides an environment that is inactive, or whose app is, from callers who may not write there", async () => {
    const half = await anApp({ environments: [{ name: "Off", status: "inactive" }] });
    const whole = await anApp({ status: "inactive" });
    for (const { appId, environmentIds } of [half, whole]) {
      const statusFor = async (scope: "environment:read" | "environment:write") =>
        (
          await send(getEnvironmentApp, await aUser({ grants: [{ scopes: [scope], apps: [{ appId }] }] }), {
            id: environmentIds[0],
          })
        ).status;
      expect(await statusFor("environment:read")).toBe(404);
      expect(await statusFor("environment:write")).toBe(200);
    }
  });
});
