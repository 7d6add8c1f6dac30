import { createHash } from "node:crypto";
import { limits } from "@slipway/certificates";
import { certificateSample, SAMPLE_PASSWORD, sampleFacts } from "@slipway/certificates/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { changedFields } from "@/lib/testing/audit";
import { aCertificate, certificateValue, sendCertificate } from "@/lib/testing/certificates";
import { anApp, aToken, aUser, auditCount, send } from "@/lib/testing/console";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { aKey } from "@/lib/testing/variables";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteSecureCertificate } from "./operations/delete-secure-certificate";
import { getExpiringCertificates } from "./operations/get-expiring-certificates";
import { getSecureCertificate } from "./operations/get-secure-certificate";
import { getSecureCertificates } from "./operations/get-secure-certificates";
import { updateSecureCertificate } from "./operations/update-secure-certificate";

setUpTestDatabase();

let world: World;
let environmentId: string;

beforeAll(async () => {
  world = await makeWorld();
  environmentId = world.environmentId;
});

const { leaf } = sampleFacts;
const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const create = (file: Parameters<typeof sendCertificate>[1], more: object = {}) =>
  sendCertificate(world.verifiedAdmin, file, { environmentId, ...more });
const update = (input: Record<string, unknown>) => send(updateSecureCertificate, world.verifiedAdmin, input);
const reveal = async (id: string) => (await send(getSecureCertificate, world.verifiedAdmin, { id })).body;
const lastRecord = () => db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
const versionOf = async () =>
  (await db.environment.findUniqueOrThrow({ where: { id: environmentId } })).configurationVersion;

describe("a certificate that is added", () => {
  it("is described by its file, and its answer has neither the file nor the password", async () => {
    const before = await versionOf();
    const { status, body } = await create("modern.p12", { password: SAMPLE_PASSWORD, fileName: "push.pfx" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      environmentId,
      fileName: "push.pfx",
      format: "pfx",
      sha256: sha256Of(certificateSample("modern.p12")),
      expirationDate: leaf.notAfter,
      subject: leaf.subject,
      issuer: leaf.issuer,
      serialNumber: leaf.serialNumber,
      keyAlgorithm: "RSA 2048",
      hasPrivateKey: true,
      chainLength: 2,
      status: "active",
      version: before + 1,
      updatedBy: { kind: "user", id: world.verifiedAdmin.userId },
    });
    expect(Object.keys(body)).not.toContain("value");
    expect(Object.keys(body)).not.toContain("password");
  });

  it("is stored byte for byte, sealed, and revealed with its password", async () => {
    const { body } = await create("modern.p12", { password: SAMPLE_PASSWORD });
    const row = await db.secureCertificate.findUniqueOrThrow({ where: { id: body.id } });
    const bytes = Buffer.from(certificateSample("modern.p12"));
    expect(Buffer.from(row.value).includes(bytes.subarray(0, 64))).toBe(false);
    expect(Buffer.from(row.password as Uint8Array).includes(SAMPLE_PASSWORD)).toBe(false);
    expect(await reveal(body.id)).toEqual({ ...body, value: bytes.toString("base64"), password: SAMPLE_PASSWORD });
  });

  it("is kept without its password, and what it would tell is unknown", async () => {
    const { status, body } = await create("modern.p12");
    expect(status).toBe(201);
    expect(body).toMatchObject({
      format: "p12",
      expirationDate: null,
      subject: null,
      keyAlgorithm: null,
      hasPrivateKey: true,
      chainLength: null,
    });
  });

  it("takes the date that the caller gives where the file tells none", async () => {
    const { body } = await create("ec-pkcs8.pem", { fileName: "auth.key", expirationDate: "2130-01-02" });
    expect(body).toMatchObject({ format: "key", hasPrivateKey: true, chainLength: 0, keyAlgorithm: "EC P-256" });
    expect(body.expirationDate).toBe("2130-01-02T00:00:00.000Z");
  });

  it("has a key that is free in its environment", async () => {
    const key = aKey();
    expect((await create("leaf.pem", { key })).status).toBe(201);
    const again = await create("leaf.pem", { key });
    expect([again.status, again.body.code, again.body.errors[0].path]).toEqual([409, "conflict", "key"]);
  });
});

describe("a given fact", () => {
  const sha256 = sha256Of(certificateSample("leaf.pem"));
  it.each([
    { sha256 },
    { sha256: sha256.toUpperCase() },
    { expirationDate: leaf.notAfter },
    { expirationDate: leaf.notAfter.slice(0, 10) },
    { expirationDate: leaf.notAfter.replace(".000Z", "+00:00") },
  ])("that agrees with the file is accepted: %j", async (given) => {
    expect((await create("leaf.pem", given)).status).toBe(201);
  });

  it.each([
    ["sha256", "0".repeat(64), sha256],
    ["expirationDate", "2030-01-01T00:00:00Z", leaf.notAfter],
    ["expirationDate", "2030-01-01", leaf.notAfter],
  ])("%s that differs from the file is 422 naming both: %s", async (field, given, actual) => {
    const before = await auditCount();
    const { status, body } = await create("leaf.pem", { [field]: given });
    expect([status, body.code]).toEqual([422, "validation_failed"]);
    expect(body.errors).toEqual([{ path: field, code: expect.any(String), message: expect.stringContaining(given) }]);
    expect(body.errors[0].message).toContain(actual);
    expect(await auditCount()).toBe(before);
  });
});

describe("a file that cannot be used", () => {
  const jpeg = Buffer.from("ffd8ffe000104a464946", "hex").toString("base64");
  it.each([
    ["a JPEG in a .pem", { fileName: "a.pem", value: jpeg }, "value", "invalid_format"],
    ["damaged", { value: certificateValue("leaf.der").slice(0, 400) }, "value", "read_error"],
    [
      "under another password",
      { value: certificateValue("modern.p12"), password: "wrong" },
      "password",
      "wrong_password",
    ],
  ])("is 422 with the reason: %s", async (_what, more, path, code) => {
    const { status, body } = await create("leaf.pem", more);
    expect([status, body.code]).toEqual([422, "invalid_certificate"]);
    expect(body.errors).toEqual([{ path, code, message: expect.any(String) }]);
  });

  it.each([limits.MAX_FILE_BYTES + 1, 3 * limits.MAX_FILE_BYTES])("is 413 over 1 MB: %i bytes", async (size) => {
    const { status, body } = await create("leaf.pem", { value: Buffer.alloc(size, 7).toString("base64") });
    expect([status, body.code, body.detail]).toEqual([413, "file_too_large", expect.stringContaining("1 MB")]);
  });

  it("of 1 MB passes where it is a certificate", async () => {
    const pem = Buffer.from(certificateSample("leaf.pem"));
    const value = Buffer.concat([pem, Buffer.alloc(limits.MAX_FILE_BYTES - pem.length, "\n")]).toString("base64");
    const { body, status } = await create("leaf.pem", { value });
    expect(status).toBe(201);
    expect((await reveal(body.id)).value).toBe(value);
  });

  it.each([
    { value: "no base64" },
    { value: "" },
    { fileName: "../a.pem" },
    { fileName: "a\nb.pem" },
    { fileName: "a\u202eb.pem" },
    { fileName: ".a.pem" },
    { fileName: "nul.pem" },
    { fileName: "Makefile" },
    { fileName: "slipway.json" },
    { fileName: "run.sh" },
    { fileName: "a.exe" },
    { sha256: "abc" },
  ])("is 422 for a malformed input: %j", async (more) => {
    const { status, body } = await create("leaf.pem", more);
    expect([status, body.code]).toEqual([422, "validation_failed"]);
  });
});

describe("a certificate that is changed", () => {
  it("keeps its file and facts where only the name changes, as the next version", async () => {
    const certificate = await aCertificate(world.verifiedAdmin, { environmentId });
    const { body } = await update({ id: certificate.id, name: "Renamed", status: "inactive" });
    const { version, updatedAt, name, status, ...rest } = body;
    expect([version, name, status]).toEqual([certificate.version + 1, "Renamed", "inactive"]);
    expect(certificate).toMatchObject(rest);
    expect((await reveal(certificate.id)).value).toBe(certificateValue("leaf.pem"));
  });

  it("is not given a file name that a program reads", async () => {
    const { id } = await aCertificate(world.verifiedAdmin, { environmentId });
    const { status, body } = await update({ id, fileName: "slipway.json" });
    expect([status, body.errors[0].path]).toEqual([422, "fileName"]);
  });

  it("keeps a file name that it was given before this was checked", async () => {
    const { id } = await aCertificate(world.verifiedAdmin, { environmentId });
    await db.secureCertificate.update({ where: { id }, data: { fileName: "Makefile" } });
    const { status, body } = await update({ id, name: "Renamed" });
    expect([status, body.fileName]).toEqual([200, "Makefile"]);
    expect((await reveal(id)).fileName).toBe("Makefile");
  });

  it("makes no version where nothing differs", async () => {
    const certificate = await aCertificate(world.verifiedAdmin, { environmentId });
    const same = { name: certificate.name, fileName: certificate.fileName, value: certificateValue("leaf.pem") };
    const { body } = await update({ id: certificate.id, ...same });
    expect(body).toEqual(certificate);
    expect(await versionOf()).toBe(certificate.version);
  });

  it("is described by its new file, which has its own password or none", async () => {
    const { body } = await create("modern.p12", { password: SAMPLE_PASSWORD });
    const changed = await update({ id: body.id, fileName: "root.der", value: certificateValue("root.der") });
    expect(changed.body).toMatchObject({ format: "der", subject: sampleFacts.root.subject, chainLength: 1 });
    expect(await reveal(body.id)).toMatchObject({ value: certificateValue("root.der"), password: null });
  });

  it("opens with a password that is given later", async () => {
    const { body } = await create("modern.p12");
    const wrong = await update({ id: body.id, password: "wrong" });
    expect([wrong.status, wrong.body.errors[0].code]).toEqual([422, "wrong_password"]);
    const { body: opened } = await update({ id: body.id, password: SAMPLE_PASSWORD });
    expect(opened).toMatchObject({ subject: leaf.subject, expirationDate: leaf.notAfter, chainLength: 2 });
    expect((await reveal(body.id)).password).toBe(SAMPLE_PASSWORD);
  });

  it("keeps a date that was given for a file without one, until another is given or it is removed", async () => {
    const { body } = await create("ec-pkcs8.pem", { expirationDate: "2130-01-02" });
    const dateAfter = async (input: Record<string, unknown>) =>
      (await update({ id: body.id, ...input })).body.expirationDate;
    expect(await dateAfter({ fileName: "other.key" })).toBe("2130-01-02T00:00:00.000Z");
    expect(await dateAfter({ expirationDate: "2131-01-02T03:04:05Z" })).toBe("2131-01-02T03:04:05.000Z");
    expect(await dateAfter({ expirationDate: null })).toBeNull();
  });

  it("is held against a given fact", async () => {
    const { id } = await aCertificate(world.verifiedAdmin, { environmentId });
    for (const given of [{ sha256: "0".repeat(64) }, { expirationDate: "2030-01-01" }]) {
      expect((await update({ id, ...given })).status).toBe(422);
    }
  });
});

describe("the audit log", () => {
  it("tells what changed, and never the file or the password", async () => {
    const { body } = await create("modern.p12", { password: SAMPLE_PASSWORD });
    const created = await lastRecord();
    expect(created).toMatchObject({ table: "SecureCertificate", action: "create", recordId: body.id });
    expect(created.changes).toMatchObject({ sha256: [null, body.sha256], password: [null, "•••"] });
    await update({ id: body.id, name: "Renamed" });
    expect(changedFields(await lastRecord())).toEqual({
      name: [body.name, "Renamed"],
      version: [body.version, body.version + 1],
    });
    await reveal(body.id);
    expect(await lastRecord()).toMatchObject({
      action: "reveal",
      recordId: body.id,
      userId: world.verifiedAdmin.userId,
    });
    await send(deleteSecureCertificate, world.verifiedAdmin, { id: body.id });
    expect(await lastRecord()).toMatchObject({ action: "delete", recordId: body.id });
    const records = JSON.stringify(await db.auditRecord.findMany({ where: { recordId: body.id } }), (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(records).not.toContain(certificateValue("modern.p12").slice(100, 160));
    expect(records).not.toContain(`"${SAMPLE_PASSWORD}"`);
  });
});

describe("a secret that serves as a canary", () => {
  it("is in no answer but the reveal", async () => {
    const password = "canary-certificate-password-7d21";
    const value = Buffer.concat([
      Buffer.from("canary-certificate-file-41bc\n"),
      Buffer.from(certificateSample("ec-pkcs8.pem")),
    ]).toString("base64");
    const app = await anApp();
    const place = { environmentId: app.environmentIds[0] as string };
    const created = await sendCertificate(world.verifiedAdmin, "ec-pkcs8.pem", { ...place, value, password });
    const { id } = created.body;
    const answers = [
      created,
      await update({ id, name: "Renamed" }),
      await update({ id, password: "another" }),
      await send(getSecureCertificates, world.verifiedAdmin, place),
    ];
    const texts = JSON.stringify(answers.map(({ body }) => body));
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
    for (const secret of [password, value, value.slice(0, 30), "another"]) expect(texts).not.toContain(secret);
    expect(JSON.stringify(await reveal(id))).toContain(value);
  });
});

describe("the list", () => {
  it("is filtered, searched and sorted by name, key, change and expiration, page by page", async () => {
    const app = await anApp();
    const place = { environmentId: app.environmentIds[0] as string };
    const add = async (name: string, more: object) =>
      (await sendCertificate(world.verifiedAdmin, "ec-pkcs8.pem", { ...place, name, ...more })).body.id as string;
    const later = await add("B", { key: "PUSH_B", expirationDate: "2131-01-01" });
    const never = await add("C", { key: "PUSH_C", status: "inactive" });
    const soon = await add("A", { key: "CODE_A", expirationDate: "2130-01-01" });
    const list = async (input: object) => {
      const { body } = await send(getSecureCertificates, world.verifiedAdmin, { ...place, ...input });
      return body.items.map(({ id }: { id: string }) => id);
    };
    expect(await list({})).toEqual([soon, later, never]);
    expect(await list({ sort: "-updatedAt" })).toEqual([soon, never, later]);
    expect(await list({ status: "inactive" })).toEqual([never]);
    expect(await list({ search: "push" })).toEqual([later, never]);
    for (const [sort, expected] of [
      ["expirationDate", [soon, later, never]],
      ["-expirationDate", [never, later, soon]],
    ] as const) {
      const seen: string[] = [];
      for (let cursor: string | undefined, page = 0; page < 4; page++) {
        const next = cursor ? { cursor } : {};
        const { body } = await send(getSecureCertificates, world.verifiedAdmin, {
          ...place,
          sort,
          limit: "1",
          ...next,
        });
        seen.push(...body.items.map(({ id }: { id: string }) => id));
        cursor = body.nextCursor ?? undefined;
        if (!cursor) break;
      }
      expect(seen).toEqual(expected);
    }
  });
});

describe("the list of those that expire soon", () => {
  it("names the certificates in use by date, with the step that each has reached", async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const [used, off] = [await anApp(), await anApp({ status: "inactive" })];
    const add = async (days: number, more: object = {}) => {
      const place = { environmentId: used.environmentIds[0] as string, expirationDate: inDays(days), ...more };
      const { body } = await sendCertificate(world.verifiedAdmin, "ec-pkcs8.pem", place);
      return body.id as string;
    };
    const soon = await add(4);
    const expired = await add(-1);
    await add(40);
    await add(4, { status: "inactive" });
    await add(4, { environmentId: off.environmentIds[0] });
    const { body } = await send(getExpiringCertificates, world.admin, {});
    expect(body.total).toBe(2);
    expect(body.items).toEqual([
      expect.objectContaining({ id: expired, expires: "expired" }),
      expect.objectContaining({
        id: soon,
        expires: 7,
        app: { id: used.appId, name: used.name },
        environment: { id: used.environmentIds[0], name: "Testing" },
      }),
    ]);
  });
});

describe("who may", () => {
  it("read and write by a token is judged by its scopes alone", async () => {
    const { id } = await aCertificate(world.verifiedAdmin, { environmentId });
    const place = { appId: world.app.appId, environmentId };
    const reader = await aToken({ ...place, scopes: ["secure-certificate:read"] });
    const other = await aToken({ ...place, scopes: ["secure-variable:write"] });
    expect((await send(getSecureCertificate, reader, { id })).status).toBe(200);
    expect((await send(deleteSecureCertificate, reader, { id })).status).toBe(403);
    expect((await send(getSecureCertificate, other, { id })).status).toBe(403);
  });

  it("not try a password on a stored file without a recent second factor", async () => {
    const { id } = await aCertificate(world.verifiedAdmin, { environmentId });
    const person = await aUser({ grants: [{ scopes: ["secure-certificate:write"] }] });
    await withTwoFactor(person, { passed: true });
    const earlier = new Date(Date.now() - 16 * 60_000);
    await db.session.update({ where: { id: person.sessionId }, data: { secondFactorConfirmedAt: earlier } });
    const { status, body } = await send(updateSecureCertificate, person, { id, password: "a guess" });
    expect([status, body.code]).toEqual([403, "two_factor_required"]);
    expect((await send(updateSecureCertificate, person, { id, name: "Renamed" })).status).toBe(200);
  });

  it("not without a second factor", async () => {
    const { id } = await aCertificate(world.verifiedAdmin, { environmentId });
    const { status, body } = await send(getSecureCertificate, await aUser({ admin: true }), { id });
    expect([status, body.code]).toEqual([403, "two_factor_enrollment_required"]);
  });
});

it("a file that changes while another is read is not overwritten", async () => {
  const certificate = await aCertificate(world.verifiedAdmin, { environmentId });
  const answers = await Promise.all([
    update({ id: certificate.id, value: certificateValue("root.pem") }),
    update({ id: certificate.id, value: certificateValue("chain.pem") }),
  ]);
  const statuses = answers.map(({ status }) => status).sort();
  expect([
    [200, 409],
    [200, 200],
  ]).toContainEqual(statuses);
  const row = await db.secureCertificate.findUniqueOrThrow({ where: { id: certificate.id } });
  const { value } = await reveal(certificate.id);
  expect(row.sha256).toBe(sha256Of(Buffer.from(value, "base64")));
});
