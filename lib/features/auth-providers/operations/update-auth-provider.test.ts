import { beforeEach, describe, expect, it } from "vitest";
import { hashPassword } from "@/lib/auth/passwords";
import { setProviderEnabled } from "@/lib/auth/providers";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { operations } from "@/lib/operations";
import { aProviderConfig, noProviderConfig } from "@/lib/testing/auth-providers";
import { ANONYMOUS, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { proved } from "@/lib/testing/passkeys";
import { sealedPassword } from "@/lib/testing/password";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

const PASSWORD = "a horse without a battery";
const change = operations["config/update-auth-provider"];
const list = operations["config/get-auth-providers"];

let admin: TestUser;

beforeEach(async () => {
  await db.user.deleteMany();
  for (const provider of ["apple", "azure", "github", "gitlab", "google"] as const) await noProviderConfig(provider);
  await setProviderEnabled(db, "email", true);
  admin = await proved(await aUser({ admin: true, passwordHash: await hashPassword(PASSWORD) }));
});

const switchTo = (provider: string, enabled: boolean) => send(change, admin, { provider, enabled });

/** As if the administrator had been registered otherwise. */
const admins = (data: { provider?: "google" | "azure"; status?: "inactive"; passwordHash?: null }) =>
  db.user.update({ where: { id: admin.userId }, data });

/** A passkey of a user's own. @returns its id */
async function aPasskey({ userId }: TestUser): Promise<string> {
  const id = newId();
  const made = { credentialId: Buffer.from(id), registrant: "Laptop", publicKey: Buffer.from("key") };
  await db.passkey.create({ data: { ...made, id, userId, counter: 0, backedUp: false } });
  return id;
}

describe("update-auth-provider", () => {
  it("switches a configured provider on and off again, each with its record", async () => {
    await aProviderConfig("google");
    const on = await switchTo("google", true);
    expect([on.status, on.body.enabled]).toEqual([200, true]);
    expect((await switchTo("google", false)).body.enabled).toBe(false);
    const [last] = await db.auditRecord.findMany({ orderBy: { id: "desc" }, take: 1 });
    expect(last).toMatchObject({ table: "AuthProvider", recordId: "google", changes: { enabled: [true, false] } });
  });

  it("does not overwrite what has changed since, if the caller says what it expects", async () => {
    await aProviderConfig("google", {}, { enabled: true });
    const expected = { enabled: false };
    const records = await auditCount();
    const refused = await send(change, admin, { provider: "google", enabled: false, expected });
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect(await auditCount()).toBe(records);
    expect(
      (await send(change, admin, { provider: "google", enabled: false, expected: { enabled: true } })).status,
    ).toBe(200);
    expect((await send(change, admin, { provider: "google", enabled: true, expected })).body.enabled).toBe(true);
  });

  it("refuses to switch on what is not configured, and changes nothing", async () => {
    const before = await auditCount();
    const answer = await switchTo("google", true);
    expect([answer.status, answer.body.code]).toEqual([409, "provider_not_configured"]);
    expect(await db.authProvider.findUnique({ where: { provider: "google" } })).toBeNull();
    expect(await auditCount()).toBe(before);
  });

  it("refuses to switch off the last way in, and changes nothing", async () => {
    const before = await auditCount();
    const answer = await switchTo("email", false);
    expect([answer.status, answer.body.code]).toEqual([409, "last_provider"]);
    expect((await send(list, ANONYMOUS)).body.items[0]).toEqual({ provider: "email", enabled: true });
    expect(await auditCount()).toBe(before);
  });

  it("refuses it too while another provider is on that no administrator is registered with", async () => {
    await aProviderConfig("google", {}, { enabled: true });
    expect((await switchTo("email", false)).body.code).toBe("last_provider");
    const user = await aUser();
    await db.user.update({ where: { id: user.userId }, data: { provider: "google" } });
    expect((await switchTo("email", false)).body.code).toBe("last_provider");
  });

  it("does not count administrators who are switched off or have no password", async () => {
    await aProviderConfig("google", {}, { enabled: true });
    const other = await aUser({ admin: true });
    await db.user.update({ where: { id: other.userId }, data: { provider: "google", status: "inactive" } });
    expect((await switchTo("email", false)).body.code).toBe("last_provider");
    await db.user.update({ where: { id: other.userId }, data: { status: "active" } });
    await admins({ passwordHash: null });
    expect((await switchTo("google", false)).body.code).toBe("last_provider");
  });

  it("takes an administrator's other provider for a way in", async () => {
    await aProviderConfig("azure", {}, { enabled: true });
    const other = await aUser({ admin: true });
    await db.user.update({ where: { id: other.userId }, data: { provider: "azure" } });
    expect((await switchTo("email", false)).status).toBe(200);
    expect((await switchTo("azure", false)).body.code).toBe("last_provider");
  });

  it("takes a passkey for a way in, which is kept from then on", async () => {
    const [id, other] = [await aPasskey(admin), await aPasskey(admin)];
    expect((await switchTo("email", false)).status).toBe(200);
    const remove = (passkey: string) => send(operations["auth/delete-user-passkey"], admin, { id: passkey });
    expect((await remove(other)).status).toBe(204);
    const before = await auditCount();
    const answer = await remove(id);
    expect([answer.status, answer.body.code]).toEqual([409, "last_provider"]);
    expect(answer.body.detail).toMatch(/passkey|llave de acceso/);
    expect(await db.passkey.count()).toBe(1);
    expect(await auditCount()).toBe(before);
    await switchTo("email", true);
    expect((await remove(id)).status).toBe(204);
  });

  it("leaves a way in where it and the passkey go at the same moment, or two administrators' passkeys", async () => {
    const other = await proved(await aUser({ admin: true, passwordHash: "x" }));
    const remove = (user: TestUser, id: string) => send(operations["auth/delete-user-passkey"], user, { id });
    const id = await aPasskey(admin);
    const answers = await Promise.all([switchTo("email", false), remove(admin, id)]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);

    await setProviderEnabled(db, "email", false);
    await db.passkey.deleteMany();
    const passkeys = [await aPasskey(admin), await aPasskey(other)] as const;
    const removals = await Promise.all([remove(admin, passkeys[0]), remove(other, passkeys[1])]);
    expect(removals.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it("leaves one of two administrators' ways in where both are switched off at the same moment", async () => {
    await aProviderConfig("google", {}, { enabled: true });
    const other = await aUser({ admin: true });
    await db.user.update({ where: { id: other.userId }, data: { provider: "google" } });
    const answers = await Promise.all([switchTo("email", false), switchTo("google", false)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("refuses an e-mail login like a wrong password while e-mail is switched off", async () => {
    await ensureServerKeys();
    await aProviderConfig("azure", {}, { enabled: true });
    const other = await aUser({ admin: true });
    await db.user.update({ where: { id: other.userId }, data: { provider: "azure" } });
    const login = async (password: string) =>
      send(operations["auth/email-login"], ANONYMOUS, { email: admin.email, password: await sealedPassword(password) });
    expect((await login(PASSWORD)).status).toBe(200);
    await switchTo("email", false);
    const [right, wrong] = [await login(PASSWORD), await login("not this one either")];
    expect([right.status, right.body.code]).toEqual([401, "invalid_credentials"]);
    expect({ ...right.body, requestId: "" }).toEqual({ ...wrong.body, requestId: "" });
    await switchTo("email", true);
    expect((await login(PASSWORD)).status).toBe(200);
  });
});

describe("get-auth-providers", () => {
  it("tells everybody which ways in there are, and nothing else", async () => {
    await aProviderConfig("github", {}, { enabled: true });
    const user = await aUser();
    for (const caller of [ANONYMOUS, user]) {
      const { body } = await send(list, caller);
      expect(body.items).toEqual(
        ["email", "apple", "azure", "github", "gitlab", "google"].map((provider) => ({
          provider,
          enabled: provider === "email" || provider === "github",
        })),
      );
    }
  });

  it("tells administrators the addresses of each, and which are configured", async () => {
    await aProviderConfig("github");
    const { body } = await send(list, admin);
    expect(body.items.find(({ provider }: { provider: string }) => provider === "github")).toEqual({
      provider: "github",
      enabled: false,
      configured: true,
      redirectUri: "http://localhost:3000/api/sso/callback/github",
      cliRedirectUri: "http://127.0.0.1/callback",
      logoutUri: "http://localhost:3000/",
    });
  });
});
