import { generateKeyPairSync } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readProvider, setProviderEnabled } from "@/lib/auth/providers";
import { db } from "@/lib/db/client";
import { ssoProviderSchema } from "@/lib/features/auth-providers/schema";
import { operations } from "@/lib/operations";
import { anAppleKey } from "@/lib/testing/apple-key";
import { changedFields } from "@/lib/testing/audit";
import { noProviderConfig } from "@/lib/testing/auth-providers";
import { aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

const providers = ssoProviderSchema.options;
type Name = (typeof providers)[number];
const SECRET = "the client's own secret";
const appleKey = anAppleKey();

/** For each provider: what it is configured with, and what an answer shows of it. */
const SAMPLES: Record<Name, { given: Record<string, string>; shown: object; secret: string }> = {
  apple: {
    given: { clientId: "com.acme.sign-in", teamId: "TEAM123456", keyId: "KEY1234567", privateKey: appleKey },
    shown: { clientId: "com.acme.sign-in", teamId: "TEAM123456", keyId: "KEY1234567", privateKeySet: true },
    secret: "privateKey",
  },
  azure: {
    given: { clientId: "1", clientSecret: SECRET, authority: "https://login.microsoftonline.com/acme.com" },
    shown: { clientId: "1", authority: "https://login.microsoftonline.com/acme.com", clientSecretSet: true },
    secret: "clientSecret",
  },
  github: {
    given: { clientId: "1", clientSecret: SECRET },
    shown: { clientId: "1", baseUrl: null, clientSecretSet: true },
    secret: "clientSecret",
  },
  gitlab: {
    given: { clientId: "1", clientSecret: SECRET, baseUrl: "https://gitlab.acme.com" },
    shown: { clientId: "1", baseUrl: "https://gitlab.acme.com", clientSecretSet: true },
    secret: "clientSecret",
  },
  google: {
    given: { clientId: "1", clientSecret: SECRET },
    shown: { clientId: "1", baseUrl: null, clientSecretSet: true },
    secret: "clientSecret",
  },
};

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});
beforeEach(async () => {
  for (const provider of providers) await noProviderConfig(provider);
});

const call = (verb: "get" | "create" | "update", provider: Name, input: Record<string, unknown> = {}) =>
  send(operations[`config/${verb}-${provider}-config`], admin, input);
const lastRecord = () => db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });

describe.each(providers)("the configuration of %s", (provider) => {
  const { given, secret } = SAMPLES[provider];
  const shown = { ...SAMPLES[provider].shown, updatedAt: expect.stringMatching(/Z$/) };

  it("is created once, kept, and shown without its secret", async () => {
    const created = await call("create", provider, given);
    expect([created.status, created.body]).toEqual([201, shown]);
    expect((await call("get", provider)).body).toEqual(shown);
    expect((await readProvider(db, provider)).config).toEqual({ provider, ...given });
    const record = await lastRecord();
    expect(record).toMatchObject({ table: "AuthProvider", action: "create", recordId: provider });
    expect(JSON.stringify(record.changes)).not.toContain(given[secret]?.slice(30, 60) || SECRET);
    expect((record.changes as Record<string, unknown>)[secret]).toEqual([null, "•••"]);
    const again = await call("create", provider, given);
    expect([again.status, again.body.code]).toEqual([409, "conflict"]);
  });

  it("is not there before it was created", async () => {
    const before = await auditCount();
    expect((await call("get", provider)).status).toBe(404);
    expect((await call("update", provider, given)).status).toBe(404);
    expect(await auditCount()).toBe(before);
  });

  it("keeps its secret, its other values and its switch through an update that leaves them out", async () => {
    await call("create", provider, given);
    await setProviderEnabled(db, provider, true);
    const updated = await call("update", provider, { clientId: "another" });
    expect([updated.status, updated.body]).toEqual([200, { ...shown, clientId: "another" }]);
    expect(await readProvider(db, provider)).toMatchObject({
      enabled: true,
      config: { provider, ...given, clientId: "another" },
    });
    expect(changedFields(await lastRecord())).toEqual({ clientId: [given.clientId, "another"] });
  });

  it("takes a new secret, and says in the record only that there is one", async () => {
    await call("create", provider, given);
    const fresh = provider === "apple" ? anAppleKey() : "a fresh secret";
    expect((await call("update", provider, { [secret]: fresh })).body).toEqual(shown);
    expect((await readProvider(db, provider)).config).toMatchObject({ [secret]: fresh });
    expect(changedFields(await lastRecord())).toEqual({ [secret]: ["•••", "•••"] });
  });

  it("needs each of its values", async () => {
    for (const name of Object.keys(given).filter((name) => name !== "baseUrl")) {
      const { status, body } = await call("create", provider, { ...given, [name]: undefined });
      expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: name, code: "required" })]]);
    }
  });
});

describe("an address", () => {
  it.each([
    ["gitlab", "baseUrl", "http://gitlab.com", "httpsOnly"],
    ["gitlab", "baseUrl", "https://127.0.0.1:8443", "publicAddress"],
    ["google", "baseUrl", "https://[::ffff:10.0.0.1]", "publicAddress"],
    ["github", "baseUrl", "https://2130706433", "publicAddress"],
    ["github", "baseUrl", "https://me:secret@github.com", undefined],
    ["github", "baseUrl", "https://github.com/?x=1", undefined],
    ["github", "baseUrl", "github.com", undefined],
    ["github", "baseUrl", "file:///etc/passwd", undefined],
    ["azure", "authority", "http://login.microsoftonline.com/acme.com", "httpsOnly"],
    ["azure", "authority", "https://login.microsoftonline.com/common", undefined],
    ["azure", "authority", "https://login.microsoftonline.com/organizations/v2.0", undefined],
  ] as const)("of %s is refused as %s: %s", async (provider, field, address, code) => {
    const { status, body } = await call("create", provider, { ...SAMPLES[provider].given, [field]: address });
    expect(status).toBe(422);
    expect(body.errors).toEqual([expect.objectContaining({ path: field, ...(code && { code }) })]);
    expect((await call("get", provider)).status).toBe(404);
  });

  it("of one's own installation goes back to the public service with null", async () => {
    await call("create", "gitlab", SAMPLES.gitlab.given);
    expect((await call("update", "gitlab", { baseUrl: null, clientSecret: "another" })).body.baseUrl).toBeNull();
    expect((await readProvider(db, "gitlab")).config).toEqual({
      provider: "gitlab",
      clientId: "1",
      clientSecret: "another",
    });
  });

  it.each([
    ["azure", { authority: "https://evil.example/acme.com" }],
    ["github", { baseUrl: "https://github.evil.example" }],
    ["gitlab", { baseUrl: "https://gitlab.acme.com:8443" }],
    ["gitlab", { baseUrl: null }],
    ["google", { baseUrl: "https://accounts.evil.example" }],
  ] as const)("of %s is not changed to another server's without the secret: %j", async (provider, change) => {
    await call("create", provider, SAMPLES[provider].given);
    const [before, audited] = [await readProvider(db, provider), await auditCount()];
    const { status, body } = await call("update", provider, change);
    expect([status, body.errors]).toEqual([
      422,
      [expect.objectContaining({ path: "clientSecret", code: "secretForAddress" })],
    ]);
    expect(await readProvider(db, provider)).toEqual(before);
    expect(await auditCount()).toBe(audited);
    expect((await call("update", provider, { ...change, clientSecret: "its own" })).status).toBe(200);
  });

  it.each([
    ["azure", { authority: "https://login.microsoftonline.com/other.example" }],
    ["github", { baseUrl: "https://github.com" }],
    ["gitlab", { baseUrl: "https://GitLab.acme.com/sub" }],
  ] as const)("of %s keeps the secret on the same server: %j", async (provider, change) => {
    await call("create", provider, SAMPLES[provider].given);
    expect((await call("update", provider, change)).status).toBe(200);
    expect((await readProvider(db, provider)).config).toMatchObject({ ...change, clientSecret: SECRET });
  });
});

describe("the users of a provider", () => {
  async function aLinkedUser(provider: Name) {
    const { userId } = await aUser();
    await db.user.update({ where: { id: userId }, data: { provider, providerSubject: "3" } });
    return userId;
  }
  const subjectOf = async (id: string) => (await db.user.findUniqueOrThrow({ where: { id } })).providerSubject;

  it.each([
    ["apple", { teamId: "TEAM654321" }],
    ["azure", { authority: "https://login.microsoftonline.com/other.example" }],
    ["github", { baseUrl: "https://github.acme.com", clientSecret: SECRET }],
    ["gitlab", { baseUrl: "https://gitlab.acme.com/other" }],
    ["gitlab", { baseUrl: null, clientSecret: SECRET }],
    ["google", { baseUrl: "https://accounts.acme.com", clientSecret: SECRET }],
  ] as const)("of %s are unlinked if the accounts are those of another issuer: %j", async (provider, change) => {
    await db.user.updateMany({ data: { providerSubject: null } });
    await call("create", provider, SAMPLES[provider].given);
    const [linked, other] = [await aLinkedUser(provider), await aLinkedUser(provider === "apple" ? "azure" : "apple")];
    expect((await call("update", provider, change)).status).toBe(200);
    expect([await subjectOf(linked), await subjectOf(other)]).toEqual([null, "3"]);
    expect(changedFields(await lastRecord())).toMatchObject({ linkedUsers: [1, 0] });
  });

  it.each([
    ["apple", { clientId: "com.acme.other" }],
    ["azure", { authority: "https://login.microsoftonline.com/acme.com/v2.0" }],
    ["github", { baseUrl: "https://github.com/" }],
    ["gitlab", { baseUrl: "https://GITLAB.acme.com/", clientId: "another" }],
    ["google", { baseUrl: "https://accounts.google.com" }],
  ] as const)("of %s stay linked otherwise: %j", async (provider, change) => {
    await db.user.updateMany({ data: { providerSubject: null } });
    await call("create", provider, SAMPLES[provider].given);
    const linked = await aLinkedUser(provider);
    expect((await call("update", provider, change)).status).toBe(200);
    expect(await subjectOf(linked)).toBe("3");
    expect(changedFields(await lastRecord())).not.toHaveProperty("linkedUsers");
  });
});

describe("Apple's private key", () => {
  const pem = (type: "ec" | "rsa", curve = "P-256") =>
    type === "ec"
      ? generateKeyPairSync("ec", { namedCurve: curve }).privateKey
      : generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const ecPublic = () =>
    generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" });

  it.each([
    ["on another curve", () => pem("ec", "P-384").export({ type: "pkcs8", format: "pem" })],
    ["of another algorithm", () => pem("rsa").export({ type: "pkcs8", format: "pem" })],
    ["in SEC 1 and not in PKCS#8", () => pem("ec").export({ type: "sec1", format: "pem" })],
    ["that is the public half", ecPublic],
    ["without its first line", () => appleKey.split("\n").slice(1).join("\n")],
    ["that is cut short", () => appleKey.replace(/.{40}\n-----END/, "\n-----END")],
    ["that is anything else", () => "AuthKey_KEY1234567.p8"],
  ])("%s is refused by name", async (_what, key) => {
    const { status, body } = await call("create", "apple", { ...SAMPLES.apple.given, privateKey: key() });
    expect([status, body.errors]).toEqual([
      422,
      [expect.objectContaining({ path: "privateKey", code: "applePrivateKey" })],
    ]);
  });

  it.each([
    ["with the line ends of Windows", () => appleKey.replaceAll("\n", "\r\n")],
    ["with its line ends written out", () => appleKey.replaceAll("\n", "\\n")],
    ["with space around it", () => `\n  ${appleKey}\n\n`],
  ])("%s is the same key", async (_how, key) => {
    expect((await call("create", "apple", { ...SAMPLES.apple.given, privateKey: key() })).status).toBe(201);
    expect((await readProvider(db, "apple")).config).toMatchObject({ privateKey: appleKey });
  });
});
