import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { registerDueDevices } from "@/lib/apple-connect/register-devices";
import { db } from "@/lib/db/client";
import { deleteSecureCertificate } from "@/lib/features/certificates/operations/delete-secure-certificate";
import { updateSecureCertificate } from "@/lib/features/certificates/operations/update-secure-certificate";
import { newId } from "@/lib/kernel/ids";
import { anAppStoreKey, anAppStoreKeyFile, startAppStoreConnect } from "@/lib/testing/app-store-connect";
import { anAppleKey } from "@/lib/testing/apple-key";
import { sendCertificate } from "@/lib/testing/certificates";
import { anApp, aUser, send } from "@/lib/testing/console";
import { aDevice } from "@/lib/testing/devices";
import { aRelease } from "@/lib/testing/releases";
import { aGroupReader } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getAppStoreKey } from "./operations/get-app-store-key";
import { getAppleRegistrations } from "./operations/get-apple-registrations";
import { getDevices } from "./operations/get-devices";
import { startAppleRegistration } from "./operations/start-apple-registration";
import { updateAppStoreKey } from "./operations/update-app-store-key";

setUpTestDatabase();

const apple = await startAppStoreConnect();
process.env.APP_STORE_CONNECT_URL = apple.url;
process.env.OUTBOUND_ALLOWED_HOSTS = "127.0.0.1";

const HOUR_MS = 3_600_000;
const { privateKey } = apple.key;
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

beforeEach(async () => {
  Object.assign(apple, { devices: [], requests: [], limit: 100, requestsLeft: 3_600, fail: () => undefined });
  Object.assign(apple.key, { privateKey });
  await db.device.deleteMany();
  await db.appleRegistration.deleteMany();
});

afterAll(() => apple.close());

async function place() {
  const app = await anApp();
  const environmentId = app.environmentIds[0] as string;
  await anAppStoreKey(world.verifiedAdmin, environmentId, apple.key);
  const start = (more: object = {}) => send(startAppleRegistration, world.admin, { environmentId, ...more });
  const last = async () =>
    (await send(getAppleRegistrations, world.admin, { environmentId })).body.items[0].last as Record<string, unknown>;
  return { app, environmentId, start, last };
}

const run = (now = new Date()) => registerDueDevices({ signal: new AbortController().signal, now: () => now });
const posts = () => apple.requests.filter(({ method }) => method === "POST").length;

describe("the key of App Store Connect", () => {
  it("is a private key on P-256 of the environment, and no answer contains it", async () => {
    const { environmentIds } = await anApp();
    const environmentId = environmentIds[0] as string;
    const choose = (certificateId: string | null, more: object = {}) =>
      send(updateAppStoreKey, world.verifiedAdmin, { environmentId, certificateId, ...more });
    const ids = { keyId: apple.key.keyId, issuerId: apple.key.issuerId };
    const file = await anAppStoreKeyFile(world.verifiedAdmin, environmentId, apple.key.privateKey);
    const wrong = (await sendCertificate(world.verifiedAdmin, "leaf.pem", { environmentId })).body.id;
    const elsewhere = (await anApp()).environmentIds[0] as string;
    const foreign = await anAppStoreKeyFile(world.verifiedAdmin, elsewhere);
    for (const [id, more, path] of [
      [wrong, ids, "certificateId"],
      [foreign, ids, "certificateId"],
      [newId(), ids, "certificateId"],
      [file, { ...ids, keyId: undefined }, "keyId"],
      [file, { ...ids, keyId: "../x" }, "keyId"],
      [file, { ...ids, issuerId: undefined }, "issuerId"],
      [file, { ...ids, issuerId: "nobody" }, "issuerId"],
    ] as const) {
      const { status, body } = await choose(id, more);
      expect([status, body.errors?.[0]?.path]).toEqual([422, path]);
    }
    const { status, body } = await choose(file, ids);
    expect([status, body]).toMatchObject([200, { certificate: { id: file }, ...ids }]);
    expect((await send(getAppStoreKey, world.verifiedAdmin, { environmentId })).body).toEqual(body);
    expect(JSON.stringify(body)).not.toContain("PRIVATE");
    const removal = await send(deleteSecureCertificate, world.verifiedAdmin, { id: file });
    expect([removal.status, removal.body.code]).toEqual([409, "conflict"]);
    const none = { environmentId, certificate: null, keyId: null, issuerId: null, updatedAt: null };
    expect((await choose(null)).body).toEqual(none);
  });
});

describe("a registration with Apple", () => {
  it("registers what the team does not have, and says what became of each device", async () => {
    const { start, last, environmentId } = await place();
    const devices = [];
    for (const name of ["New", "Already", "Disabled"]) devices.push(await aDevice({ name }));
    await aDevice({ name: "Android", os: "android", udid: null });
    const [, already, disabled] = devices.map(({ udid }) => udid as string);
    apple.devices.push(
      { id: "1", name: "x", udid: (already as string).toLowerCase(), status: "ENABLED" },
      { id: "2", name: "y", udid: disabled as string, status: "DISABLED" },
    );
    const begun = await start();
    expect([begun.status, begun.body]).toMatchObject([200, { state: "pending", total: 3, registered: 0 }]);
    await run();
    const counts = { total: 3, registered: 1, already: 1, disabled: 1, refused: 0 };
    expect(await last()).toMatchObject({ state: "done", error: null, problems: [], ...counts });
    expect(apple.devices.find(({ name }) => name === "New")?.udid).toBe(devices[0]?.udid);
    expect(posts()).toBe(1);
    const record = await db.auditRecord.findFirstOrThrow({
      where: { action: "register-devices" },
      orderBy: { id: "desc" },
    });
    expect(record).toMatchObject({ recordId: environmentId, changes: { devices: [null, 3] } });
    expect(JSON.stringify(record.changes)).not.toContain(already);
  });

  it("of a release registers those that its profile misses", async () => {
    const { app, environmentId, start, last } = await place();
    const [listed, missing] = [await aDevice({ name: "Listed" }), await aDevice({ name: "Missing" })];
    const profile = { deviceIdentifiers: [listed.udid as string] };
    const { id } = await aRelease(world.admin, { identifier: app.identifier, environmentId }, { profile });
    expect((await start({ releaseId: id })).body.total).toBe(1);
    await run();
    expect(await last()).toMatchObject({ state: "done", registered: 1 });
    expect(apple.devices.map(({ udid }) => udid)).toEqual([missing.udid]);
    const elsewhere = await place();
    expect((await elsewhere.start({ releaseId: id })).status).toBe(404);
  });

  it("without a release sends devices of nobody and of active people who see the environment, which are listed first", async () => {
    const { app, environmentId, start } = await place();
    const grants = [{ scopes: ["release:read" as const], apps: [{ appId: app.appId }] }];
    const group = await aGroupReader({ appId: app.appId });
    const elsewhere = await aUser({
      grants: [{ ...grants[0], scopes: ["release:read"], apps: [{ appId: (await anApp()).appId }] }],
    });
    const sent = [null, (await aUser({ grants })).userId, group.userId, world.admin.userId];
    for (const [index, userId] of sent.entries())
      await aDevice({ userId, name: `Sent ${index}`, attested: index === 1 });
    for (const { userId } of [await aUser(), elsewhere, await aUser({ grants, status: "inactive" })])
      await aDevice({ userId });
    await aDevice({ userId: world.admin.userId, os: "android", udid: null });
    const { body } = await send(getDevices, world.admin, { toRegisterIn: environmentId, sort: "name" });
    expect(body.items.map(({ name, attested }: { name: string; attested: boolean }) => [name, attested])).toEqual(
      sent.map((_, index) => [`Sent ${index}`, index === 1]),
    );
    expect((await start()).body.total).toBe(sent.length);
    await run();
    expect(apple.devices).toHaveLength(sent.length);
  });

  it("over several pages of the team's devices asks Apple for nothing twice", async () => {
    const { start, last } = await place();
    apple.limit = 1_000;
    for (let count = 0; count < 450; count += 1) {
      const { udid } = await aDevice({ name: `Phone ${count}` });
      apple.devices.push({ id: String(count), name: "x", udid: udid as string, status: "ENABLED" });
    }
    await start();
    await run();
    expect(await last()).toMatchObject({ total: 450, already: 450 });
    expect(apple.requests.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  });

  it("says Apple's reason for refusals, without a UDID, and goes on with the others", async () => {
    const { start, last } = await place();
    const first = await aDevice({ name: "Ada’s iPhone" });
    await aDevice({ name: "Grace’s iPhone" });
    apple.limit = 1;
    await start();
    await run();
    const detail = "Your development team has reached the maximum number of registered iPhone devices.";
    const problems = [{ detail, count: 1, names: [expect.any(String)] }];
    expect(await last()).toMatchObject({ state: "done", registered: 1, refused: 1, problems });
    expect(JSON.stringify(await last())).not.toContain(first.udid);
    const stored = await db.appleRegistrationDevice.findMany();
    expect(JSON.stringify(stored)).not.toMatch(/00008110-/);
  });

  it("counts a device that somebody else registered first as one that was there", async () => {
    const { start, last } = await place();
    const { udid } = await aDevice();
    apple.beforeRegistration = () =>
      apple.devices.push({ id: "1", name: "x", udid: udid as string, status: "ENABLED" });
    await start();
    await run();
    expect(await last()).toMatchObject({ state: "done", already: 1, refused: 0 });
  });

  it("waits for Apple's limit of requests, and goes on where it was", async () => {
    const { start, last } = await place();
    for (let count = 0; count < 4; count += 1) await aDevice();
    apple.requestsLeft = 3;
    await start();
    await run();
    expect(await last()).toMatchObject({ state: "pending", error: "rate_limited", registered: 2 });
    apple.requestsLeft = 100;
    const before = apple.requests.length;
    await run();
    expect(apple.requests.length).toBe(before);
    await run(new Date(Date.now() + HOUR_MS));
    expect(await last()).toMatchObject({ state: "done", registered: 4, error: null });
    expect(posts()).toBe(5);
  });

  it("is one at a time in an environment", async () => {
    const { start } = await place();
    await aDevice();
    const [one, two] = [await start(), await start()];
    expect(two.body.id).toBe(one.body.id);
    await run();
    expect((await start()).body.id).not.toBe(one.body.id);
  });

  it.each([
    ["unauthorized", () => Object.assign(apple.key, { privateKey: anAppleKey() })],
    ["forbidden", () => Object.assign(apple, { fail: () => 403 })],
    ["unexpected", () => Object.assign(apple, { fail: () => 200 })],
    // A proxy that answers whatever is sent: the device is not registered.
    ["unexpected", () => Object.assign(apple, { fail: () => (posts() > 0 ? 200 : undefined) })],
  ] as const)("ends where Apple says %s", async (error, spoil) => {
    const { start, last } = await place();
    await aDevice();
    spoil();
    await start();
    await run();
    expect(await last()).toMatchObject({ state: "failed", error, registered: 0 });
  });

  it("is tried five times while Apple fails, and then given up", async () => {
    const { start, last } = await place();
    await aDevice();
    apple.fail = () => 503;
    await start();
    for (let hour = 0; hour < 5; hour += 1) {
      const told = hour === 0 ? { error: null, detail: null } : { error: "unreachable", detail: "HTTP 503" };
      expect(await last()).toMatchObject({ state: "pending", ...told });
      await run(new Date(Date.now() + hour * HOUR_MS));
    }
    expect(await last()).toMatchObject({ state: "failed", error: "unreachable", detail: "HTTP 503" });
    expect(apple.requests).toHaveLength(5);
  });

  it("needs an active key", async () => {
    const { start, last, environmentId } = await place();
    await aDevice();
    await start();
    const { certificateId } = await db.appStoreKey.findUniqueOrThrow({ where: { environmentId } });
    await send(updateSecureCertificate, world.verifiedAdmin, { id: certificateId, status: "inactive" });
    await run();
    expect(await last()).toMatchObject({ state: "failed", error: "no_key" });
    const { status, body } = await start();
    expect([status, body.code]).toEqual([409, "conflict"]);
  });
});
