import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { EVENT_DATA } from "@/lib/kernel/events";
import { type Answer, anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { aDevice, newUdid } from "@/lib/testing/devices";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { aRelease } from "@/lib/testing/releases";
import { aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { enrollDevice, requireNewUdid } from "./data";
import { createDevice } from "./operations/create-device";
import { createOwnDevice } from "./operations/create-own-device";
import { deleteDevice } from "./operations/delete-device";
import { exportDevices } from "./operations/export-devices";
import { getDevices } from "./operations/get-devices";
import { getOwnDevices } from "./operations/get-own-devices";
import { getReleaseDevices } from "./operations/get-release-devices";
import { importDevices } from "./operations/import-devices";
import { updateDevice } from "./operations/update-device";
import { MAX_OWN_DEVICES } from "./schema";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

const names = (answer: { body: { items: { name: string }[] } }) => answer.body.items.map(({ name }) => name).sort();

describe("a device", () => {
  it("is found by its whole UDID, however it is written, by its name and by its owner, and by no part of a UDID", async () => {
    const owner = await aUser();
    await db.user.update({ where: { id: owner.userId }, data: { lastNames: "Hopper" } });
    const { udid } = await aDevice({ userId: owner.userId, name: "Émile’s phone" });
    const search = async (text: string) => names(await send(getDevices, admin, { search: text }));
    for (const text of [udid as string, (udid as string).toLowerCase().replace("-", ""), "emile", "hopper phone"]) {
      expect([text, await search(text)]).toEqual([text, ["Émile’s phone"]]);
    }
    expect(await search((udid as string).slice(0, 20))).toEqual([]);
    expect(await search("100% _")).toEqual([]);
  });

  it("is entered once for an owner, and once for nobody", async () => {
    const [owner, udid] = [await aUser(), newUdid()];
    const create = (input: object) => send(createDevice, admin, { name: "Phone", udid, ...input });
    const first = await create({ userId: owner.userId, model: "iPad13,16", osVersion: "17.5.1" });
    expect([first.status, first.body]).toMatchObject([
      201,
      { udid, os: "ipados", modelName: "iPad Air (5th generation)" },
    ]);
    for (const input of [{ userId: owner.userId }, {}]) {
      const { status, body } = await create({ ...input, udid: udid.toLowerCase() });
      expect([status, body.errors[0].path]).toEqual([409, "udid"]);
    }
    expect((await create({ userId: (await aUser()).userId })).status).toBe(201);
    expect((await create({ userId: "019a0000-0000-7000-8000-00000000ffff", udid: newUdid() })).status).toBe(404);
    const wrong = await create({ udid: "0000", osVersion: "eighteen", model: "ä" });
    expect(wrong.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(["model", "osVersion", "udid"]);
  });

  it("is renamed and deleted by its owner, and otherwise only by administrators", async () => {
    const [owner, other] = [await aUser(), await aUser()];
    const { id } = await aDevice({ userId: owner.userId });
    expect((await send(updateDevice, other, { id, name: "Mine" })).status).toBe(404);
    expect((await send(deleteDevice, other, { id })).status).toBe(404);
    expect((await send(updateDevice, owner, { id, userId: other.userId })).status).toBe(403);
    expect((await send(updateDevice, owner, { id, name: "Mine" })).body.name).toBe("Mine");
    const moved = await send(updateDevice, admin, { id, userId: other.userId, model: "", osVersion: "18.2" });
    expect(moved.body).toMatchObject({ user: { id: other.userId }, model: null, osVersion: "18.2" });
    expect((await send(getOwnDevices, owner)).body.items).toEqual([]);
    expect((await send(deleteDevice, other, { id })).status).toBe(204);
    expect(await db.device.count({ where: { id } })).toBe(0);
  });

  it("that has no UDID is registered by what its browser tells", async () => {
    const owner = await aUser();
    const agent =
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
    const facts = { platformVersion: "15.0.0", model: "Pixel 9" };
    const webhookId = await aWebhook(["device.enrolled"]);
    const { body } = await send(createOwnDevice, owner, facts, { headers: { "user-agent": agent } });
    const [delivery, ...others] = await deliveriesOf(webhookId);
    expect(others).toEqual([]);
    expect(EVENT_DATA["device.enrolled"].parse(delivery?.data)).toMatchObject({
      device: { id: body.id, name: "Pixel 9", os: "android", osVersion: "35", hasUdid: false, attested: false },
      user: { id: owner.userId },
    });
    expect(body).toMatchObject({ os: "android", osVersion: "35", model: "Pixel 9", name: "Pixel 9", udid: null });
    const { body: long } = await send(createOwnDevice, owner, {}, { headers: { "user-agent": "x".repeat(4_000) } });
    expect(long).toMatchObject({ os: "desktop", model: null, name: "Desktop" });
  });

  it("is one of at most 100 of a user", async () => {
    const { userId, ...owner } = await aUser();
    for (let count = 0; count < MAX_OWN_DEVICES; count += 1) await aDevice({ userId, udid: null, os: "android" });
    const { status, body } = await send(createOwnDevice, owner);
    expect([status, body.code]).toEqual([409, "conflict"]);
  });

  it("is deleted with its user", async () => {
    const { userId } = await aUser();
    await aDevice({ userId });
    await db.session.deleteMany({ where: { userId } });
    await db.user.delete({ where: { id: userId } });
    expect(await db.device.count({ where: { userId } })).toBe(0);
  });
});

describe("a device that is enrolled while an administrator", () => {
  /** Enrols a device while a call waits for its UDID. @returns the answer of the call */
  async function duringEnrollment(userId: string, udid: string, call: () => Promise<Answer>): Promise<Answer> {
    const told = { name: null, deviceName: "iPhone", udid, os: "ios", osVersion: "18.1", model: null } as const;
    const { answer } = await db.$transaction(async (tx) => {
      await requireNewUdid(tx, udid, userId);
      const answer = call();
      await untilWaitingForLocks(1);
      await enrollDevice(tx, userId, { ...told, attested: false }, new Date());
      return { answer };
    }, LONG_TRANSACTION);
    return answer;
  }

  it("enters it is entered once", async () => {
    const [{ userId }, udid] = [await aUser(), newUdid()];
    const create = () => send(createDevice, admin, { name: "Phone", udid, userId });
    const { status, body } = await duringEnrollment(userId, udid, create);
    expect([status, body.errors?.[0].path]).toEqual([409, "udid"]);
    expect(await db.device.count({ where: { userId } })).toBe(1);
  });

  it.each(["its user", "nobody"])("assigns it to %s is enrolled and assigned", async (whose) => {
    const { userId } = await aUser();
    const { id, udid } = await aDevice();
    const assigned = whose === "nobody" ? null : userId;
    const update = () => send(updateDevice, admin, { id, userId: assigned });
    const { status, body } = await duringEnrollment(userId, udid as string, update);
    expect([status, body.user?.id ?? null, body.lastSeenAt]).toEqual([200, assigned, expect.any(String)]);
  });
});

describe("an import", () => {
  const line = (udid: string, index: number) => `${udid}\tPhone ${index}\tios`;

  it("adds 10,000 devices once, in Apple's format, and leaves Macs out", async () => {
    const udids = Array.from({ length: 10_000 }, newUdid);
    const mac = "12345678-1234-1234-1234-123456789ABC\tMac\tmac";
    const repeated = line(udids[0]?.toLowerCase() as string, 1);
    const text = ["Device ID\tDevice Name\tDevice Platform", ...udids.map(line), mac, repeated, ""].join("\r\n");
    const tried = await send(importDevices, admin, { text, dryRun: true });
    expect(tried.body).toMatchObject({ dryRun: true, added: 10_000, already: 0, repeated: 1, macs: 1, invalid: 0 });
    expect(await db.device.count({ where: { name: "Phone 9999" } })).toBe(0);
    expect((await send(importDevices, admin, { text })).body).toMatchObject({ added: 10_000, already: 0 });
    expect((await send(importDevices, admin, { text })).body).toMatchObject({ added: 0, already: 10_000 });
    const { body } = await send(getDevices, admin, { search: udids[9_999] as string });
    expect(body.items).toEqual([expect.objectContaining({ udid: udids[9_999], name: "Phone 9999", user: null })]);
    await db.device.deleteMany({ where: { name: { startsWith: "Phone " } } });
  }, 60_000);

  it("with one wrong line among 10,000 names the line, not its text, and adds nothing", async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => line(newUdid(), index));
    lines[4_321] = `${newUdid()}0\tBroken\tios`;
    const text = lines.join("\n");
    const before = await db.device.count();
    const { status, body } = await send(importDevices, admin, { text });
    expect([status, body.errors]).toEqual([
      422,
      [expect.objectContaining({ path: "text", code: "line_udid", message: expect.stringContaining("4,322") })],
    ]);
    expect(JSON.stringify(body)).not.toContain(lines[4_321]?.slice(0, 25));
    expect(await db.device.count()).toBe(before);
    const { body: tried } = await send(importDevices, admin, { text, dryRun: true });
    expect(tried).toMatchObject({ added: 9_999, invalid: 1, invalidLines: [{ line: 4_322, problem: "udid" }] });
  }, 60_000);

  it.each([
    ["a name that is missing", `${newUdid()}\t\tios`, "line_name"],
    ["a name of 101 characters", `${newUdid()}\t${"x".repeat(101)}`, "line_name"],
    ["another platform", `${newUdid()}\tPhone\tandroid`, "line_platform"],
    ["commas instead of tabs", `${newUdid()},Phone,ios`, "line_udid"],
  ])("refuses %s", async (_, text, code) => {
    const { status, body } = await send(importDevices, admin, { text });
    expect([status, body.errors[0].code]).toEqual([422, code]);
  });
});

describe("a release", () => {
  const place = async () => {
    const app = await anApp();
    const environmentId = app.environmentIds[0] as string;
    const tester = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId }] }] });
    return {
      tester,
      publish: (profile: object) => aRelease(admin, { identifier: app.identifier, environmentId }, { profile }),
    };
  };

  it("covers the devices of its profile, and those that are missing are exported in Apple's format", async () => {
    await db.device.deleteMany();
    const { tester, publish } = await place();
    const stranger = await aUser();
    const listed = await aDevice({ userId: tester.userId, name: "Covered" });
    const missing = await aDevice({ userId: tester.userId, name: "Missing" });
    await aDevice({ userId: stranger.userId, name: "Of somebody who does not see the release" });
    await aDevice({ userId: tester.userId, name: "Android", os: "android", udid: null });
    const byHand = await aDevice({ name: "Of nobody" });
    const { id } = await publish({ deviceIdentifiers: [listed.udid?.toLowerCase(), newUdid(), newUdid()] });
    const publisher = await aUser({ grants: [{ scopes: ["release:update"] }] });
    const { body } = await send(getReleaseDevices, publisher, { id });
    expect(body).toMatchObject({ profile: "listed", covered: 1, notCovered: 2, unknownUdids: 2, total: 3 });
    expect(body.items.map(({ name, covered }: { name: string; covered: boolean }) => [name, covered])).toEqual([
      ["Covered", true],
      ["Missing", false],
      ["Of nobody", false],
    ]);
    for (const { udid } of [listed, missing, byHand]) expect(JSON.stringify(body)).not.toContain(udid);
    expect(names(await send(getReleaseDevices, tester, { id, covered: "true" }))).toEqual(["Covered"]);
    expect((await send(getReleaseDevices, admin, { id, own: "true" })).body).toMatchObject({ items: [], total: 0 });
    expect((await send(getReleaseDevices, tester, { id, own: "true" })).body.total).toBe(
      await db.device.count({ where: { userId: tester.userId, udidHash: { not: null } } }),
    );
    // Who may only read the release gets the numbers, and neither the devices of others nor whether a search finds them.
    const reader = await aUser({ grants: [{ scopes: ["release:read"] }] });
    await aDevice({ userId: reader.userId, name: "The reader's" });
    for (const [search, total] of [
      ["", 1],
      [missing.udid as string, 0],
      ["Missing", 0],
    ] as const) {
      const answer = await send(getReleaseDevices, reader, { id, ...(search && { search }) });
      expect(answer.body).toMatchObject({ covered: 1, notCovered: 3, unknownUdids: 2, total });
      expect(names(answer)).toEqual(total === 1 ? ["The reader's"] : []);
    }
    await db.device.deleteMany({ where: { userId: reader.userId } });
    const { body: file, headers } = await send(exportDevices, admin, { missingIn: id });
    expect(headers.get("content-type")).toBe("text/tab-separated-values; charset=utf-8");
    const [header, ...rows] = file.trimEnd().split("\r\n");
    expect(header).toBe("Device ID\tDevice Name\tDevice Platform");
    expect(rows.sort()).toEqual([`${byHand.udid}\tOf nobody\tios`, `${missing.udid}\tMissing\tios`].sort());
    expect((await send(importDevices, admin, { text: file, dryRun: true })).body).toMatchObject({
      added: 0,
      already: 2,
    });
    // A build with it: nothing is missing any more.
    const all = [listed, missing, byHand].map(({ udid }) => udid);
    const next = await publish({ deviceIdentifiers: all });
    expect((await send(getReleaseDevices, tester, { id: next.id })).body).toMatchObject({ covered: 3, notCovered: 0 });
  });

  it("without a list of devices has none to answer", async () => {
    const { tester, publish } = await place();
    for (const [type, profile] of [
      ["enterprise", "all"],
      ["app-store", "none"],
    ] as const) {
      const { id } = await publish({ type });
      expect((await send(getReleaseDevices, tester, { id })).body).toMatchObject({ profile, items: [], total: 0 });
    }
  });

  it("whose profile has not been read yet says so", async () => {
    const { tester, publish } = await place();
    const { id } = await publish({});
    await db.installerFacts.deleteMany();
    expect((await send(getReleaseDevices, tester, { id })).body).toMatchObject({ profile: "unknown", items: [] });
  });
});

it("exports each UDID once, and all of them over several pages", async () => {
  await db.device.deleteMany();
  const [one, two, udid] = [await aUser(), await aUser(), newUdid()];
  for (const { userId } of [one, two]) await aDevice({ userId, udid });
  for (let count = 0; count < 600; count += 1) await aDevice({ name: "x".repeat(60) });
  const { body } = await send(exportDevices, admin, {});
  const lines = body.trimEnd().split("\r\n").slice(1);
  expect(lines).toHaveLength(601);
  expect(new Set(lines.map((text: string) => text.split("\t")[0])).size).toBe(601);
  expect(lines[1]?.split("\t")[1]?.length).toBeLessThanOrEqual(50);
  const formula = await aDevice({ name: "=1+1" });
  expect((await send(exportDevices, admin, { search: formula.udid as string })).body).toContain("\t'=1+1\tios");
});
