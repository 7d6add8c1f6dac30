import { beforeAll, describe, expect, it } from "vitest";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getPublishingPlaces } from "./get-publishing-places";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

const placesOf = async (identifier: string, caller = admin) => {
  const answer = await send(getPublishingPlaces, caller, { identifier });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

describe("the places of an installer", () => {
  it("are none for an unknown identifier, which an administrator may add as an application", async () => {
    expect(await placesOf("com.acme.unknown")).toMatchObject({ items: [], mayCreateApp: true });
    const { platforms } = await placesOf("com.acme.unknown");
    expect(platforms.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["android", "ios"]);
  });

  it("are none for an inactive application, which an administrator is told of and cannot add a second time", async () => {
    const app = await anApp({ status: "inactive" });
    const inactiveApp = { id: app.appId, name: app.name };
    expect(await placesOf(app.identifier.toUpperCase())).toMatchObject({ items: [], mayCreateApp: false, inactiveApp });
    const publisher = await aUser({ grants: [{ scopes: ["release:create"] }] });
    expect(await placesOf(app.identifier, publisher)).toMatchObject({
      items: [],
      mayCreateApp: false,
      inactiveApp: null,
    });
  });

  it("are the environments of its application, with that of the latest release as the proposal", async () => {
    const app = await anApp({
      environments: [{ name: "Alpha" }, { name: "Beta" }, { name: "Off", status: "inactive" }],
    });
    const [alpha, beta] = app.environmentIds as [string, string];
    const ids = async () => {
      const { items } = await placesOf(app.identifier);
      expect(items).toHaveLength(1);
      const [{ environments, proposedEnvironmentId }] = items;
      return { environments: environments.map(({ id }: { id: string }) => id), proposedEnvironmentId };
    };
    expect(await ids()).toEqual({ environments: [alpha, beta], proposedEnvironmentId: alpha });
    await aRelease(admin, { identifier: app.identifier, environmentId: beta });
    expect(await ids()).toEqual({ environments: [alpha, beta], proposedEnvironmentId: beta });
  });

  it("are only the environments that accept an identifier of their own", async () => {
    const identifier = "com.acme.variant.beta";
    const app = await anApp({ environments: [{ name: "Alpha" }, { name: "Beta", identifiers: [identifier] }] });
    const { items } = await placesOf(identifier);
    expect(items).toMatchObject([
      { app: { id: app.appId }, environments: [{ id: app.environmentIds[1] }], mayCreateEnvironment: false },
    ]);
  });

  it("include an application without environments for those who may add one", async () => {
    const app = await anApp({ environments: [] });
    const place = { app: { id: app.appId }, environments: [], proposedEnvironmentId: null, mayCreateEnvironment: true };
    expect(await placesOf(app.identifier)).toMatchObject({ items: [place] });
    const maintainer = await aUser({
      grants: [{ scopes: ["release:create", "environment:write"], apps: [{ appId: app.appId }] }],
    });
    expect(await placesOf(app.identifier, maintainer)).toMatchObject({ items: [place], mayCreateApp: false });
  });

  it("are those in which the caller may publish, and nothing tells of others", async () => {
    const app = await anApp({ environments: [{ name: "Alpha" }, { name: "Beta" }] });
    const [alpha] = app.environmentIds as [string, string];
    const publisher = await aUser({
      grants: [
        { scopes: ["release:create"], apps: [{ appId: app.appId, environmentIds: [alpha] }] },
        { scopes: ["release:read"], apps: [{ appId: app.appId }] },
      ],
    });
    const { items } = await placesOf(app.identifier, publisher);
    expect(items).toMatchObject([{ environments: [{ id: alpha }], mayCreateEnvironment: false }]);
    const other = await anApp();
    expect(await placesOf(other.identifier, publisher)).toMatchObject({ items: [], mayCreateApp: false });
    const reader = await aUser({ grants: [{ scopes: ["release:read"] }] });
    expect((await send(getPublishingPlaces, reader, { identifier: app.identifier })).status).toBe(403);
  });
});
