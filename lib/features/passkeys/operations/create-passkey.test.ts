import { sign } from "node:crypto";
import { makeSigningIdentity } from "@slipway/installers/testing";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { hashToken } from "@/lib/kernel/crypto/tokens";
import { newId } from "@/lib/kernel/ids";
import { type Attestation, type Cbor, SoftwareAuthenticator } from "@/lib/testing/authenticator";
import { type Answer, aUser, auditCount, requestedMails, send } from "@/lib/testing/console";
import { aPasskey, passkeyCreation, proved } from "@/lib/testing/passkeys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_PASSKEYS } from "../schema";
import { createPasskey } from "./create-passkey";
import { deleteUserPasskey } from "./delete-user-passkey";
import { getUserPasskeys } from "./get-user-passkeys";
import { validateCreatePasskey } from "./validate-create-passkey";

setUpTestDatabase();

const APP_ORIGIN = "http://localhost:3000";

/** As security keys of the first generation attest (WebAuthn Level 3, 8.6): right in itself. */
const BY_CERTIFICATE: Attestation = {
  format: "fido-u2f",
  statement({ rpIdHash, clientDataHash, credentialId, jwk: { x, y } }) {
    const { certificate, privateKey } = makeSigningIdentity({ name: "Authenticator Attestation" });
    const point = Buffer.concat([x, y].map((part) => Buffer.from(part as string, "base64url")));
    const signed = Buffer.concat([Buffer.of(0), rpIdHash, clientDataHash, credentialId, Buffer.of(4), point]);
    return new Map<string, Cbor>([
      ["sig", sign("sha256", signed, privateKey)],
      ["x5c", [certificate]],
    ]);
  },
};

/** By the new key itself (WebAuthn Level 3, 8.2), which browsers let through where no attestation was asked for. */
const BY_ITSELF: Attestation = {
  format: "packed",
  statement: ({ authData, clientDataHash, privateKey }) =>
    new Map<string, Cbor>([
      ["alg", -7],
      ["sig", sign("sha256", Buffer.concat([authData, clientDataHash]), privateKey)],
    ]),
};

async function expectRefused(answer: Answer, userId: string): Promise<void> {
  expect([answer.status, answer.body.code]).toEqual([401, "invalid_passkey"]);
  expect(await db.passkey.count({ where: { userId } })).toBe(0);
}

describe("the options for a new passkey", () => {
  it("ask for a discoverable credential, verification of the user, pinned algorithms and no attestation", async () => {
    const user = await aUser();
    const { status, body } = await send(createPasskey, user);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      rp: { id: "localhost", name: "Slipway" },
      user: { name: user.email, displayName: "Ada Lovelace" },
      timeout: 300_000,
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
      excludeCredentials: [],
    });
    expect(body.pubKeyCredParams.map(({ alg }: { alg: number }) => alg).sort()).toEqual([-257, -7, -8]);
    expect(Buffer.from(body.user.id, "base64url").toString()).toBe(user.userId);
    expect(Buffer.from(body.challenge, "base64url")).toHaveLength(32);
  });

  it("exclude the user's passkeys, and no others", async () => {
    const [user, other] = [await proved(await aUser()), await aUser()];
    const { authenticator } = await aPasskey(user);
    await aPasskey(other);
    const { body } = await send(createPasskey, user);
    expect(body.excludeCredentials).toEqual([
      {
        type: "public-key",
        id: authenticator.credentials[0]?.id.toString("base64url"),
        transports: ["hybrid", "internal"],
      },
    ]);
  });

  it("hold a challenge of which only the hash is kept", async () => {
    const { body } = await send(createPasskey, await aUser());
    const row = await db.oneTimeToken.findFirstOrThrow({
      where: { purpose: "passkey-create" },
      orderBy: { id: "desc" },
    });
    expect(Buffer.from(row.hash)).toEqual(Buffer.from(hashToken(body.challenge)));
    expect(JSON.stringify(row)).not.toContain(body.challenge);
  });
});

describe("a new passkey", () => {
  it.each(["ES256", "EdDSA", "RS256"] as const)("is kept with a key of %s and listed", async (algorithm) => {
    const user = await aUser();
    const authenticator = new SoftwareAuthenticator({ backedUp: true });
    const before = await auditCount();
    const input = await passkeyCreation(user, authenticator, { algorithm });
    const { status, body } = await send(validateCreatePasskey, user, { ...input, registrant: "  My phone " });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      registrant: "My phone",
      createdAt: expect.any(String),
      lastUsedAt: null,
      backedUp: true,
    });
    expect((await send(getUserPasskeys, user)).body).toEqual({ items: [body] });
    const row = await db.passkey.findUniqueOrThrow({ where: { id: body.id } });
    expect(Buffer.from(row.credentialId)).toEqual(authenticator.credentials[0]?.id);
    expect(row.transports).toEqual(["hybrid", "internal"]);
    // One for the challenge, one for the passkey.
    expect(await auditCount()).toBe(before + 2);
  });

  it("is stored with a self attestation", async () => {
    const user = await aUser();
    const input = await passkeyCreation(user, new SoftwareAuthenticator(), { attestation: BY_ITSELF });
    expect((await send(validateCreatePasskey, user, input)).status).toBe(201);
  });

  it("is refused when its challenge has been used before", async () => {
    const user = await aUser();
    const input = await passkeyCreation(user);
    expect((await send(validateCreatePasskey, user, input)).status).toBe(201);
    await db.passkey.deleteMany({ where: { userId: user.userId } });
    await expectRefused(await send(validateCreatePasskey, user, input), user.userId);
  });

  it("uses its challenge even if it is refused", async () => {
    const user = await aUser();
    const authenticator = new SoftwareAuthenticator();
    const { body: options } = await send(createPasskey, user);
    const answered = (bent: object) => ({
      registrant: "Phone",
      response: authenticator.create(options, { origin: APP_ORIGIN, ...bent }),
    });
    await expectRefused(await send(validateCreatePasskey, user, answered({ userVerified: false })), user.userId);
    await expectRefused(await send(validateCreatePasskey, user, answered({})), user.userId);
  });

  it("is stored once, also with several simultaneous requests", async () => {
    const user = await proved(await aUser());
    const input = await passkeyCreation(user);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(validateCreatePasskey, user, input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
  });

  it("is refused when its challenge is older than five minutes", async () => {
    const user = await aUser();
    const input = await passkeyCreation(user);
    const row = await db.oneTimeToken.findFirstOrThrow({ where: { subject: user.userId, usedAt: null } });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(300_000);
    await db.oneTimeToken.update({ where: { id: row.id }, data: { expiresAt: new Date() } });
    await expectRefused(await send(validateCreatePasskey, user, input), user.userId);
  });

  it("is refused when its challenge was given to another user", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const input = await passkeyCreation(other);
    await expectRefused(await send(validateCreatePasskey, user, input), user.userId);
  });

  it.each([
    ["comes from another origin", { origin: "https://evil.example" }],
    ["comes from a subdomain of the console's", { origin: "http://sub.localhost:3000" }],
    ["comes from another port", { origin: "http://localhost:3001" }],
    ["is for another RP id", { rpId: "evil.example" }],
    ["was made in a frame of another site", { crossOrigin: true }],
    ["was made without verification of the user", { userVerified: false }],
    ["was made without anybody there", { userPresent: false }],
    ["answers a challenge that nobody gave", { challenge: Buffer.alloc(32, 7).toString("base64url") }],
    ["is the answer to a sign-in", { type: "webauthn.get" }],
    ["signs with an algorithm that is not pinned", { algorithm: "ES384" as const }],
    ["is vouched for by a certificate, as nobody asked", { attestation: BY_CERTIFICATE }],
    ["is vouched for in a form that there is not", { attestation: { format: "other", statement: () => new Map() } }],
  ])("is refused when it %s", async (_case, bent) => {
    const user = await aUser();
    await expectRefused(
      await send(validateCreatePasskey, user, await passkeyCreation(user, new SoftwareAuthenticator(), bent)),
      user.userId,
    );
  });

  it("is refused when its credential is registered already, to whomever", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const { authenticator } = await aPasskey(other);
    const input = await passkeyCreation(user);
    const credentialId = Uint8Array.from(Buffer.from(input.response.id, "base64url"));
    await db.passkey.updateMany({ where: { userId: other.userId }, data: { credentialId } });
    const { status, body } = await send(validateCreatePasskey, user, input);
    expect([status, body.code, body.errors[0].path]).toEqual([409, "conflict", "response"]);
    expect(authenticator.credentials).toHaveLength(1);
  });

  it("is refused beyond the maximum of one user, before the browser creates one and after", async () => {
    const user = await proved(await aUser());
    const input = await passkeyCreation(user);
    const row = (index: number) => ({
      id: newId(),
      userId: user.userId,
      credentialId: Uint8Array.from(Buffer.from(`${user.userId}-${index}`)),
      registrant: `Key ${index}`,
      publicKey: new Uint8Array(1),
      counter: 0,
      transports: [],
      backedUp: false,
    });
    await db.passkey.createMany({ data: Array.from({ length: MAX_PASSKEYS }, (_, index) => row(index)) });
    for (const answer of [await send(createPasskey, user), await send(validateCreatePasskey, user, input)]) {
      expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
      expect(answer.body.errors[0].message).toContain(String(MAX_PASSKEYS));
    }
    expect(await db.passkey.count({ where: { userId: user.userId } })).toBe(MAX_PASSKEYS);
  });

  it("cannot be created in a session that has not passed the second factor", async () => {
    const user = await aUser();
    const input = await passkeyCreation(user);
    await db.twoFactor.create({
      data: { userId: user.userId, secret: new Uint8Array(40), enabledAt: new Date() },
    });
    for (const answer of [await send(createPasskey, user), await send(validateCreatePasskey, user, input)]) {
      expect([answer.status, answer.body.code]).toEqual([403, "two_factor_required"]);
    }
  });
});

it("a new passkey and one that is deleted are told to their owner by mail, without its name", async () => {
  const user = await proved(await aUser());
  const { id } = await aPasskey(user);
  await send(deleteUserPasskey, user, { id });
  await send(deleteUserPasskey, user, { id });
  const told = { userId: user.userId, locale: "en", at: expect.any(String), ip: null };
  expect(await requestedMails(user.userId)).toEqual([
    { purpose: "passkey-added", ...told },
    { purpose: "passkey-removed", ...told },
  ]);
});

describe("deleting a passkey", () => {
  it("removes it from its owner's list, and no others", async () => {
    const user = await proved(await aUser());
    const [kept, gone] = [await aPasskey(user), await aPasskey(user)];
    expect((await send(deleteUserPasskey, user, { id: gone.id })).status).toBe(204);
    const { body } = await send(getUserPasskeys, user);
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
    expect((await send(deleteUserPasskey, user, { id: gone.id })).status).toBe(404);
  });

  it("answers for another user's passkey as for one that there is not, even to an administrator", async () => {
    const { id } = await aPasskey(await aUser());
    for (const caller of [await aUser(), await aUser({ admin: true })]) {
      const [theirs, none] = [
        await send(deleteUserPasskey, caller, { id }),
        await send(deleteUserPasskey, caller, { id: newId() }),
      ];
      expect([theirs.status, theirs.body.code]).toEqual([404, "not_found"]);
      expect({ ...theirs.body, requestId: "" }).toEqual({ ...none.body, requestId: "" });
    }
    expect(await db.passkey.count({ where: { id } })).toBe(1);
  });
});
