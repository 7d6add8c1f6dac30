import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { restoreConfiguration } from "@/lib/features/configuration/operations/restore-configuration";
import { newId } from "@/lib/kernel/ids";
import { sendCertificate } from "@/lib/testing/certificates";
import { anApp, aUser, send } from "@/lib/testing/console";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteSecureCertificate } from "./operations/delete-secure-certificate";
import { getSigningKey } from "./operations/get-signing-key";
import { updateSecureCertificate } from "./operations/update-secure-certificate";
import { updateSigningKey } from "./operations/update-signing-key";

setUpTestDatabase();

let world: World;
let environmentId: string;

beforeAll(async () => {
  world = await makeWorld();
  environmentId = world.environmentId;
});

const add = async (file: Parameters<typeof sendCertificate>[1], more: Record<string, unknown> = {}) =>
  (await sendCertificate(world.verifiedAdmin, file, { environmentId, ...more })).body.id as string;
const choose = (certificateId: string | null, more: Record<string, unknown> = {}) =>
  send(updateSigningKey, world.verifiedAdmin, { environmentId, certificateId, ...more });
const chosen = async () => (await send(getSigningKey, world.verifiedAdmin, { environmentId })).body;
const own = () => ({ environmentId, certificate: null, alias: null, hasKeyPassword: false, updatedAt: null });
const password = "secret";

describe("the signing key of an environment", () => {
  it("is the console’s until a file is chosen, and again when it is removed", async () => {
    expect(await chosen()).toEqual(own());
    const id = await add("keytool.p12", { password });
    const { status, body } = await choose(id);
    expect(status).toBe(200);
    const certificate = { id, name: "A certificate", fileName: "keytool.p12", status: "active" };
    const updatedAt = expect.stringMatching(/Z$/);
    expect(body).toEqual({ environmentId, certificate, alias: "1", hasKeyPassword: false, updatedAt });
    expect(await chosen()).toEqual(body);
    expect((await choose(null)).body).toEqual(own());
    expect(await chosen()).toEqual(own());
  });

  it("keeps its file from being deleted, until another key is chosen", async () => {
    await add("leaf.pem");
    const id = await add("keytool.p12", { password });
    await choose(id);
    const { status, body } = await send(deleteSecureCertificate, world.verifiedAdmin, { id });
    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(body.detail).toMatch(/uses this file as its signing key/);
    const { configurationVersion } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
    const before = { environmentId, version: configurationVersion - 1 };
    const restored = await send(restoreConfiguration, world.verifiedAdmin, before);
    expect([restored.status, restored.body.detail]).toEqual([409, body.detail]);
    expect((await chosen()).certificate.id).toBe(id);
    await choose(null);
    expect((await send(deleteSecureCertificate, world.verifiedAdmin, { id })).status).toBe(204);
  });

  it("with a password of its own is stored sealed, and neither the answer nor the audit record has it", async () => {
    const id = await add("key-password.p12", { password });
    const { status, body } = await choose(id, { alias: "APP", keyPassword: "other" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ alias: "app", hasKeyPassword: true });
    expect(JSON.stringify(body)).not.toContain("other");
    const { keyPassword } = await db.environmentSigningKey.findUniqueOrThrow({ where: { environmentId } });
    expect(Buffer.from(keyPassword as Uint8Array).toString("latin1")).not.toContain("other");
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({
      action: "update-signing-key",
      recordId: environmentId,
      changes: { certificateId: [null, id], alias: [null, "app"] },
    });
    expect(JSON.stringify(record.changes)).not.toContain("other");
    await choose(null);
  });

  it.each([
    ["alias", "keytool.p12", { alias: "other" }, /one of these: 1$/],
    ["keyPassword", "key-password.p12", {}, /own password/],
    ["keyPassword", "key-password.p12", { keyPassword: "wrong" }, /own password/],
    ["certificateId", "leaf.pem", {}, /\.pfx or \.jks/],
  ] as const)("is refused for its %s (%s)", async (field, file, more, message) => {
    const id = await add(file, file.endsWith(".p12") ? { password } : {});
    const { status, body } = await choose(id, more);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "validation_failed", errors: [{ path: field }] });
    expect(body.errors[0].message).toMatch(message);
    expect(await chosen()).toEqual(own());
  });

  it.each([
    ["key-password.p12", "other"],
    ["key-password.jks", "other-key"],
  ] as const)("is refused with the password of the key alone (%s)", async (file, keyPassword) => {
    const { status, body } = await choose(await add(file), { keyPassword });
    expect([status, body.errors?.[0]?.path]).toEqual([422, "certificateId"]);
    expect(body.errors[0].message).toMatch(/without its password/);
  });

  it("is refused while its file is stored without its password", async () => {
    const id = await add("keytool.p12");
    expect((await choose(id)).body.errors[0].message).toMatch(/without its password/);
    await send(updateSecureCertificate, world.verifiedAdmin, { id, password });
    expect((await choose(id)).status).toBe(200);
    await choose(null);
  });

  it("is a file of the same environment", async () => {
    const other = (await anApp()).environmentIds[0] as string;
    const id = await add("keytool.p12", { password, environmentId: other });
    for (const certificateId of [id, newId()]) {
      expect((await choose(certificateId)).body.errors).toMatchObject([{ path: "certificateId" }]);
    }
  });

  it("is chosen by those who may write certificates, and a password is tried only after a recent second factor", async () => {
    const id = await add("keytool.p12", { password });
    const grants = [{ scopes: ["secure-certificate:write" as const], apps: [{ appId: world.app.appId }] }];
    const writer = await aUser({ grants });
    await withTwoFactor(writer, { passed: true });
    const input = { environmentId, certificateId: id };
    await db.session.update({
      where: { id: writer.sessionId },
      data: { secondFactorConfirmedAt: new Date(Date.now() - 3_600_000) },
    });
    const tried = await send(updateSigningKey, writer, { ...input, keyPassword: "wrong" });
    expect(tried.status).toBe(403);
    expect(tried.body.code).toBe("two_factor_required");
    expect((await send(updateSigningKey, writer, input)).status).toBe(200);
    await choose(null);
  });
});

describe("a keystore of Java", () => {
  it("in the format JCEKS is refused with the command that converts it", async () => {
    const { status, body } = await sendCertificate(world.verifiedAdmin, "keytool.jceks", {
      environmentId,
      fileName: "release.keystore",
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "invalid_certificate", errors: [{ path: "value", code: "java_keystore" }] });
    expect(body.errors[0].message).toContain("-deststoretype PKCS12");
  });

  it("in the format JKS is accepted, also if its key has a password of its own", async () => {
    const id = await add("keytool.jks", { password });
    expect((await choose(id)).body).toMatchObject({ certificate: { fileName: "keytool.jks" }, alias: "app" });
    const other = await add("key-password.jks", { password });
    expect((await choose(other)).body.errors).toMatchObject([{ path: "keyPassword" }]);
    expect((await choose(other, { keyPassword: "other-key" })).body).toMatchObject({
      alias: "app",
      hasKeyPassword: true,
    });
    await choose(null);
  });

  it("that is PKCS #12 under the name .jks is accepted", async () => {
    const id = await add("keytool.p12", { fileName: "release.jks", password });
    expect((await choose(id)).body).toMatchObject({ certificate: { fileName: "release.jks" }, alias: "1" });
    await choose(null);
  });
});
