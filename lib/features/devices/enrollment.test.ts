import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "plist";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { toResponse } from "@/lib/http/reply";
import { REMOTE_ADDRESS_HEADER } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import { MINUTE_MS } from "@/lib/kernel/time";
import { ANONYMOUS, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import {
  aDevice,
  anEnrollment,
  deviceAnswer,
  deviceAttributes,
  enrollmentPayload,
  newUdid,
} from "@/lib/testing/devices";
import { findPrograms } from "@/scripts/lib/programs";
import { setUpTestDatabase } from "@/scripts/test-database";
import { readEnrollmentAnswer } from "./internal/enrollment";
import { completeDeviceEnrollment } from "./operations/complete-device-enrollment";
import { downloadEnrollmentProfile } from "./operations/download-enrollment-profile";
import { getDevices } from "./operations/get-devices";
import { getOwnDevices } from "./operations/get-own-devices";
import { startDeviceEnrollment } from "./operations/start-device-enrollment";
import { handleEnrollmentAnswer, handleEnrollmentPages } from "./routes";
import { MAX_ANSWER_BYTES } from "./schema";

setUpTestDatabase();

const OLD_UDID = "0123456789abcdef0123456789abcdef01234567";
let user: TestUser;
let admin: TestUser;

beforeAll(async () => {
  [user, admin] = await Promise.all([aUser(), aUser({ admin: true })]);
});

/** Sends an answer as a device does: as the body, with the token in the address. */
async function answer(
  token: string,
  body: Buffer,
  type = "application/pkcs7-signature",
  more: Record<string, string> = {},
) {
  const url = `http://localhost:3000/api/devices/complete-device-enrollment?${new URLSearchParams({ token })}`;
  const headers = { "content-type": type, "accept-language": "en", host: "localhost:3000", ...more };
  const request = new Request(url, { method: "POST", headers, body: Uint8Array.from(body) });
  const response = await toResponse(await handleEnrollmentAnswer(request), request);
  const text = await response.text();
  return { status: response.status, location: response.headers.get("location"), body: text && JSON.parse(text) };
}

const ownDevices = async (owner: TestUser) => (await send(getOwnDevices, owner)).body.items;

async function page(token: string, userAgent: string) {
  const request = new Request(`http://localhost:3000/d/${token}`, {
    headers: { "accept-language": "en", "user-agent": userAgent },
  });
  const response = await toResponse(await handleEnrollmentPages(request), request);
  return { status: response.status, text: await response.text() };
}

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

describe("the enrolment of an iPhone", () => {
  it("registers it as the user's, with what it tells, and sends it back to the page", async () => {
    const token = await anEnrollment(user);
    const { url, challenge, asked } = await enrollmentPayload(token);
    expect(asked).toEqual(["UDID", "PRODUCT", "VERSION", "DEVICE_NAME"]);
    expect(url).toBe(`http://localhost:3000/api/devices/complete-device-enrollment?token=${token}`);
    expect((await page(token, IPHONE)).text).toContain(`/api/devices/download-enrollment-profile?token=${token}`);
    const attributes = deviceAttributes(challenge);
    const { status, location } = await answer(token, await deviceAnswer(attributes));
    expect([status, location]).toEqual([301, `http://localhost:3000/d/${token}`]);
    expect((await page(token, IPHONE)).text).toContain("This device is registered");
    const [device] = await ownDevices(user);
    expect(device).toMatchObject({
      user: { id: user.userId },
      name: "Ada’s iPhone",
      os: "ios",
      osVersion: "18.1",
      model: "iPhone15,2",
      modelName: "iPhone 14 Pro",
      udid: attributes.UDID,
      attested: false,
    });
    expect(device.lastSeenAt).toBe(device.createdAt);
  });

  it("gives it the name that the user has given it", async () => {
    const token = await anEnrollment(user, "Test phone 3");
    const { challenge } = await enrollmentPayload(token);
    await answer(token, await deviceAnswer(deviceAttributes(challenge, { UDID: OLD_UDID, PRODUCT: "iPad13,16" })));
    const devices = await ownDevices(user);
    expect(devices.find(({ udid }: { udid: string }) => udid === OLD_UDID)).toMatchObject({
      name: "Test phone 3",
      os: "ipados",
    });
  });

  it("completes the entry of an administrator, and once more its own", async () => {
    const { id, udid } = await aDevice({ name: "By hand", model: null, osVersion: null });
    const owner = await aUser();
    for (const build of ["22A100", "22C152"]) {
      const token = await anEnrollment(owner);
      const { challenge } = await enrollmentPayload(token);
      const told = deviceAttributes(challenge, { UDID: udid as string, VERSION: build });
      expect((await answer(token, await deviceAnswer(told))).status).toBe(301);
    }
    expect(await ownDevices(owner)).toEqual([
      expect.objectContaining({ id, udid, name: "By hand", model: "iPhone15,2", osVersion: "18.2" }),
    ]);
  });

  it("does not take another user's device away, and tells nobody of it", async () => {
    const other = await aUser();
    const { id, udid } = await aDevice({ userId: other.userId });
    const token = await anEnrollment(user);
    const { challenge } = await enrollmentPayload(token);
    await answer(token, await deviceAnswer(deviceAttributes(challenge, { UDID: udid as string })));
    expect((await ownDevices(other)).map((device: { id: string }) => device.id)).toEqual([id]);
    expect((await send(getDevices, admin, { search: udid as string })).body.total).toBe(2);
  });
});

describe("an answer that is not right", () => {
  it("is refused the second time, also of two at once", async () => {
    const owner = await aUser();
    const token = await anEnrollment(owner);
    const { challenge } = await enrollmentPayload(token);
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => answer(token, await deviceAnswer(deviceAttributes(challenge)))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([301, 410, 410, 410, 410]);
    expect(answers.find(({ status }) => status === 410)?.body.detail).toContain("has been used");
    expect(await ownDevices(owner)).toHaveLength(1);
  });

  it("is refused after 30 minutes, as are the profile and the page", async () => {
    const token = await anEnrollment(user);
    const { challenge } = await enrollmentPayload(token);
    const late = new Date(Date.now() - MINUTE_MS);
    await db.oneTimeToken.updateMany({
      where: { purpose: "device-enrollment", usedAt: null },
      data: { expiresAt: late },
    });
    expect((await answer(token, await deviceAnswer(deviceAttributes(challenge)))).status).toBe(410);
    expect((await sendRaw(downloadEnrollmentProfile, ANONYMOUS, { token })).status).toBe(410);
    expect((await page(token, IPHONE)).status).toBe(410);
  });

  it("expires 30 minutes after its beginning", async () => {
    const before = Date.now();
    const { body } = await send(startDeviceEnrollment, user, {});
    const minutes = (Date.parse(body.expiresAt) - before) / MINUTE_MS;
    expect(minutes).toBeGreaterThanOrEqual(30);
    expect(minutes).toBeLessThan(31);
  });

  it.each([
    ["belongs to another enrolment", (other: string) => deviceAnswer(deviceAttributes(other)), "belongs to another"],
    ["repeats no challenge", () => deviceAnswer({ UDID: newUdid() }), "belongs to another"],
    ["is not signed", async () => Buffer.from(build({ UDID: newUdid() })), "not that of an iPhone"],
    ["is empty", async () => Buffer.alloc(0), null],
  ])("is refused if it %s", async (_, make, message) => {
    const [token, second] = [await anEnrollment(user), await anEnrollment(user)];
    const { challenge } = await enrollmentPayload(second);
    const count = await db.device.count();
    const { status, body } = await answer(token, await make(challenge));
    expect([status, body.errors[0].path]).toEqual([422, "answer"]);
    if (message) expect(body.errors[0].message).toContain(message);
    expect(await db.device.count()).toBe(count);
  });

  it("is refused with a changed byte, without a UDID, and if it is long", async () => {
    const token = await anEnrollment(user);
    const { challenge } = await enrollmentPayload(token);
    const right = await deviceAnswer(deviceAttributes(challenge));
    const changed = Buffer.from(right);
    const at = changed.indexOf("iPhone15,2");
    changed.write("iPhone15,3", at);
    expect((await answer(token, changed)).body.errors[0].message).toContain("changed after it was signed");
    const without = await deviceAnswer(deviceAttributes(challenge, { UDID: "none" }));
    expect((await answer(token, without)).body.errors[0].message).toContain("has no UDID");
    for (const length of [MAX_ANSWER_BYTES + 1, 1024 * 1024]) {
      expect((await answer(token, Buffer.alloc(length, right))).status).toBe(413);
    }
    // None of them used the enrolment up.
    expect((await answer(token, right)).status).toBe(301);
  });

  it("is refused with an invented token, and as another type", async () => {
    const { status, body } = await answer("A".repeat(43), Buffer.from("x"));
    expect([status, body.code]).toEqual([401, "invalid_token"]);
    expect((await answer("A".repeat(43), Buffer.from("x"), "text/plain")).status).toBe(415);
  });

  it("is read ten times for a registration, from all senders and networks together", async () => {
    const token = await anEnrollment(user);
    const send = (body: Buffer, address: string) =>
      answer(token, body, undefined, { [REMOTE_ADDRESS_HEADER]: address });
    const answers = await Promise.all(
      Array.from({ length: 11 }, (_, index) => send(Buffer.from("no CMS"), `2001:db8:${index + 1}::1`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(422), 429]);
    expect((await answer(await anEnrollment(user), Buffer.from("no CMS"))).status).toBe(422);
  });

  it("is refused once the user is not active any more", async () => {
    const owner = await aUser();
    const token = await anEnrollment(owner);
    const { challenge } = await enrollmentPayload(token);
    await db.user.update({ where: { id: owner.userId }, data: { status: "inactive" } });
    expect((await answer(token, await deviceAnswer(deviceAttributes(challenge)))).status).toBe(410);
  });
});

it("keeps the UDID out of the audit log, the tokens, and every column but the sealed one", async () => {
  const udid = newUdid();
  const owner = await aUser();
  const token = await anEnrollment(owner);
  const { challenge } = await enrollmentPayload(token);
  await answer(token, await deviceAnswer(deviceAttributes(challenge, { UDID: udid })));
  const rows = [await db.auditRecord.findMany(), await db.auditName.findMany(), await db.oneTimeToken.findMany()];
  const text = JSON.stringify([rows, await db.device.findMany()], (_, value) =>
    typeof value === "bigint"
      ? String(value)
      : value instanceof Uint8Array
        ? Buffer.from(value).toString("latin1")
        : value,
  );
  expect(text).toContain(owner.userId);
  expect(text).not.toContain(udid);
});

describe("a device with OpenSSL as its phone", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-phone-"));
  const openssl = (...args: string[]) =>
    execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const path = (name: string) => join(folder, name);

  afterAll(() => rmSync(folder, { recursive: true }));

  it("reads the profile, answers it, and is noted as attested if the authority of devices issued its certificate", async ({
    skip,
  }) => {
    const found = findPrograms("openssl");
    if (found instanceof Error) skip(found.message);
    const token = await anEnrollment(user);
    const profile = await sendRaw(downloadEnrollmentProfile, ANONYMOUS, { token });
    expect(profile.headers.get("content-type")).toBe("application/x-apple-aspen-config");
    writeFileSync(path("profile"), Buffer.from(await profile.arrayBuffer()));
    const xml = openssl("cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", "profile").toString();
    const challenge = /<key>Challenge<\/key>\s*<string>([^<]+)</.exec(xml)?.[1] as string;
    writeFileSync(path("attributes"), build(deviceAttributes(challenge)));
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "1",
      "-subj",
      "/CN=CA",
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
    );
    openssl("req", "-new", "-newkey", "rsa:1024", "-nodes", "-subj", "/CN=iPhone", "-keyout", "key", "-out", "csr");
    openssl(
      "x509",
      "-req",
      "-in",
      "csr",
      "-sha1",
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-set_serial",
      "1",
      "-out",
      "device.pem",
    );
    openssl(
      "cms",
      "-sign",
      "-binary",
      "-nodetach",
      "-md",
      "sha1",
      "-signer",
      "device.pem",
      "-inkey",
      "key",
      "-outform",
      "DER",
      "-in",
      "attributes",
      "-out",
      "answer",
    );
    const bytes = readFileSync(path("answer"));
    const authority = new X509Certificate(readFileSync(path("ca.pem")));
    expect(readEnrollmentAnswer(token, bytes, [authority]).attested).toBe(true);
    expect(readEnrollmentAnswer(token, bytes).attested).toBe(false);
    expect(() => readEnrollmentAnswer("another", bytes)).toThrow(ApiError);
    expect((await answer(token, bytes)).status).toBe(301);
    expect((await send(completeDeviceEnrollment, ANONYMOUS, { token, answer: bytes.toString("base64") })).status).toBe(
      410,
    );
  });
});
