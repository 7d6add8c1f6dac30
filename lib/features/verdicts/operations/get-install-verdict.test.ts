import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { downloadTestingDeployFile } from "@/lib/features/releases/operations/download-testing-deploy-file";
import { newId } from "@/lib/kernel/ids";
import { readMissingFacts } from "@/lib/storage/installer-facts";
import { ANONYMOUS, anApp, aUser, type Caller, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { aDevice, newUdid } from "@/lib/testing/devices";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { aShareLink } from "@/lib/testing/share-links";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getInstallVerdict } from "./get-install-verdict";

// Without HTTPS, no iPhone installs anything.
process.env.APP_URL = "https://slipway.example.com";
setUpTestDatabase();

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const IPAD_AS_MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15";
const REDUCED =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36";
const UDID = newUdid();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let adHoc: string;
let apk: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  const profile = { deviceIdentifiers: [UDID.toLowerCase()] };
  adHoc = (await aRelease(admin, { identifier: app.identifier, environmentId }, { profile, minOs: "16.0" })).id;
  const bytes = await anApk(app.identifier, { minSdk: 30, targetSdk: 35, versionCode: 40 });
  apk = (await publish(admin, bytes, "a.apk", { environmentId })).body.id;
});

const ask = (caller: Caller, input: Record<string, unknown>, headers: Record<string, string> = {}) =>
  send(getInstallVerdict, caller, input, { headers: { "accept-language": "en", ...headers } });
const codesOf = ({ body }: { body: { reasons: { code: string }[] } }) => body.reasons.map(({ code }) => code);

describe("who is answered", () => {
  it("admits users who can read the release, and visitors with the code of a link that opens it", async () => {
    const { code } = await aShareLink(admin, { releaseId: adHoc });
    expect((await ask(ANONYMOUS, { id: adHoc })).status).toBe(401);
    expect((await ask(await aUser(), { id: adHoc })).status).toBe(404);
    expect((await ask(ANONYMOUS, { id: adHoc, share: code })).status).toBe(200);
    expect((await ask(ANONYMOUS, { id: apk, share: code })).status).toBe(404);
    expect((await ask(ANONYMOUS, { id: adHoc, share: "another" })).status).toBe(404);
    expect((await ask(admin, { id: newId() })).status).toBe(404);
  });

  it("needs the password of a link that has one", async () => {
    const { code } = await aShareLink(admin, { releaseId: adHoc, password: "correct horse battery" });
    expect(await ask(ANONYMOUS, { id: adHoc, share: code })).toMatchObject({
      status: 401,
      body: { code: "password_required" },
    });
  });
});

describe("an enrolled device", () => {
  it("is judged by the profile that lists it, whatever the spelling", async () => {
    const { id: deviceId } = await aDevice({ userId: admin.userId, udid: UDID });
    const { body } = await ask(admin, { id: adHoc, deviceId }, { "user-agent": REDUCED });
    expect(body).toMatchObject({ way: "itms-services", device: { os: "ios", model: "iPhone15,2", deviceId } });
    expect(codesOf({ body })).toContain("device_registered");
    expect(codesOf({ body })).not.toContain("device_not_enrolled");
  });

  it("that the profile does not list is told what to do, in the caller's language", async () => {
    const { id: deviceId } = await aDevice({ userId: admin.userId });
    const english = await ask(admin, { id: adHoc, deviceId });
    expect(english.body.verdict).toBe("does_not_install");
    const reason = english.body.reasons.find(({ code }: { code: string }) => code === "device_not_registered");
    expect(reason).toMatchObject({
      severity: "blocks",
      params: { count: 1 },
      title: "This device is not in the profile",
    });
    expect(reason.steps).toHaveLength(1);
    const german = await ask(admin, { id: adHoc, deviceId }, { "accept-language": "de" });
    expect(JSON.stringify(german.body)).toContain("Dieses Gerät steht nicht im Profil");
  });

  it("of somebody else does not exist, not even for an administrator", async () => {
    const { id: deviceId } = await aDevice({ userId: (await aUser()).userId, udid: newUdid() });
    expect((await ask(admin, { id: adHoc, deviceId })).status).toBe(404);
    expect((await ask(admin, { id: adHoc, deviceId: newId() })).status).toBe(404);
  });

  it("may have a later system than at its enrolment", async () => {
    const { id: deviceId } = await aDevice({ userId: admin.userId, osVersion: "15.2" });
    const { body } = await ask(admin, { id: adHoc, deviceId });
    expect(body.reasons).toContainEqual(expect.objectContaining({ code: "system_too_old", severity: "unknown" }));
  });
});

describe("the browser of a request", () => {
  it("tells the device where nothing else is given", async () => {
    const { body } = await ask(admin, { id: adHoc }, { "user-agent": IPHONE });
    expect(body.device).toEqual({
      os: "ios",
      osVersion: "17.5.1",
      model: null,
      browser: "safari",
      abis: [],
      deviceId: null,
    });
    expect(body.verdict).toBe("unknown");
    expect(codesOf({ body })).toContain("device_not_enrolled");
  });

  it("does not overrule what is given", async () => {
    const { body } = await ask(admin, { id: adHoc, os: "ipados", osVersion: "15.0" }, { "user-agent": IPHONE });
    expect(body.device).toMatchObject({ os: "ipados", osVersion: "15.0", browser: null });
    expect(body.reasons[0]).toMatchObject({ code: "system_too_old", severity: "blocks" });
  });

  it("that reports Android 10 on every device is not taken at its word, unless a client hint tells more", async () => {
    const frozen = await ask(admin, { id: apk }, { "user-agent": REDUCED });
    expect(frozen.body.device).toMatchObject({ os: "android", osVersion: null });
    expect(frozen.body.reasons).toContainEqual(
      expect.objectContaining({ code: "system_too_old", severity: "unknown" }),
    );
    const hinted = await ask(
      admin,
      { id: apk },
      { "user-agent": REDUCED, "sec-ch-ua-platform-version": '"10.0.0"', "sec-ch-ua-model": '"Pixel 8"' },
    );
    expect(hinted.body.device).toMatchObject({ osVersion: "29", model: "Pixel 8" });
    expect(hinted.body.reasons[0]).toMatchObject({ code: "system_too_old", severity: "blocks" });
  });

  it.each([
    ["an iPad that presents itself as a Mac", IPAD_AS_MAC, "desktop"],
    ["8 KB", `${"x".repeat(8_000)} iPhone OS 17_5`, "desktop"],
    ["markup and no browser", "<script>Android</script>", "android"],
    ["nothing", "", "desktop"],
  ])("of %s is answered without a guess", async (_which, userAgent, os) => {
    const { status, body } = await ask(admin, { id: adHoc }, { "user-agent": userAgent });
    expect([status, body.device.os, body.device.osVersion]).toEqual([200, os, null]);
  });

  it.each([
    ["a version that is none", { osVersion: "17..5" }],
    ["a system that is none", { os: "symbian" }],
    ["a model with a line break", { model: "iPhone\n15" }],
    ["an ABI that is a path", { abis: "../x" }],
    ["more ABIs than there are", { abis: Array.from({ length: 17 }, () => "x86") }],
  ])("is not asked for %s", async (_what, input) => {
    expect((await ask(admin, { id: apk, ...input })).status).toBe(422);
  });
});

describe("what the same person installed before", () => {
  /** The browser of a phone downloads the file. */
  async function installed(person: TestUser, id: string, userAgent = REDUCED): Promise<void> {
    const { userId } = person;
    const count = () => db.releaseDownload.count({ where: { releaseId: id, userId } });
    const before = await count();
    const headers = { "user-agent": userAgent };
    await (await sendRaw(downloadTestingDeployFile, person, { id }, { headers })).arrayBuffer();
    await expect.poll(count).toBe(before + 1);
  }
  const android = { os: "android", osVersion: "34" };

  it("is a later build, which Android does not replace, for them alone", async () => {
    const bytes = await anApk(app.identifier, { minSdk: 30, targetSdk: 35, versionCode: 41 });
    const { body: later } = await publish(admin, bytes, "b.apk", { environmentId });
    await installed(admin, later.id, "curl/8.0");
    expect(codesOf(await ask(admin, { id: apk, ...android }))).not.toContain("version_lower");
    await installed(admin, later.id);
    const own = await ask(admin, { id: apk, ...android });
    expect(own.body.reasons[0]).toMatchObject({ code: "version_lower", params: { build: "40", installed: "41" } });
    expect(codesOf(await ask(await aUser({ admin: true }), { id: apk, ...android }))).not.toContain("version_lower");
    expect(codesOf(await ask(admin, { id: later.id, ...android }))).not.toContain("version_lower");
    await installed(admin, apk);
    expect(codesOf(await ask(admin, { id: apk, ...android }))).not.toContain("version_lower");
  });

  it("has another signer, so that it has to be removed first", async () => {
    const other = await aUser({ admin: true });
    const signed = (versionCode: number) =>
      anApk(app.identifier, { minSdk: 30, targetSdk: 35, versionCode, schemes: ["v2"] });
    const { body: first } = await publish(admin, await signed(50), "c.apk", { environmentId });
    const { body: second } = await publish(admin, await signed(51), "d.apk", { environmentId });
    await installed(other, first.id);
    expect(codesOf(await ask(other, { id: second.id, ...android }))).not.toContain("signature_changed");
    await db.$executeRaw`
      UPDATE "Release" SET "installer" = jsonb_set("installer", '{signingSha256}', ${JSON.stringify(["ab".repeat(32)])}::jsonb)
      WHERE "id" = ${first.id}::uuid`;
    expect(codesOf(await ask(other, { id: second.id, ...android }))).toContain("signature_changed");
  });

  it("is signed with the key of the APK that was made of a bundle, not with the one of the bundle", async () => {
    const [person, other] = [await aUser({ admin: true }), await aUser({ admin: true })];
    const signed = (versionCode: number) =>
      anApk(app.identifier, { minSdk: 30, targetSdk: 35, versionCode, schemes: ["v2"] });
    const { body: first } = await publish(admin, await signed(60), "e.apk", { environmentId });
    const { body: second } = await publish(admin, await signed(61), "f.apk", { environmentId });
    await installed(other, first.id);
    const [upload, made] = ["aa".repeat(32), "bb".repeat(32)];
    const asBundle = (id: string, uploadKey: string) => db.$executeRaw`
      UPDATE "Release" SET "universalState" = 'ready', "universalSha256" = ${made}, "installer" = "installer"
        || jsonb_build_object('kind', 'aab', 'signingSha256', jsonb_build_array(${uploadKey}::text)) WHERE "id" = ${id}::uuid`;
    await asBundle(second.id, upload);
    expect(codesOf(await ask(other, { id: second.id, ...android }))).toContain("signature_changed");
    await installed(person, first.id);
    await asBundle(first.id, "cc".repeat(32));
    expect(codesOf(await ask(person, { id: second.id, ...android }))).not.toContain("signature_changed");
  });
});

it("a console with an authority of its own has a device trust it first", async () => {
  // The tests run as with --lan.
  expect(codesOf(await ask(admin, { id: adHoc, os: "ios" }))).toContain("chain_not_trusted");
});

it("a claim that the profile does not grant blocks, once the executable is read", async () => {
  const place = { identifier: app.identifier, environmentId };
  const claims = { "com.apple.developer.siri": true };
  const { id } = await aRelease(admin, place, { profile: { type: "enterprise" }, executable: { claims } });
  expect(codesOf(await ask(admin, { id, os: "ios" }))).not.toContain("entitlement_not_in_profile");
  await readMissingFacts(db, { now: () => new Date() });
  const { body } = await ask(admin, { id, os: "ios" });
  expect(body.verdict).toBe("does_not_install");
  expect(body.reasons[0]).toMatchObject({
    code: "entitlement_not_in_profile",
    params: { names: "com.apple.developer.siri" },
  });
});
