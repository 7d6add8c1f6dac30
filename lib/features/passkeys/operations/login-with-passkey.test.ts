import { describe, expect, it } from "vitest";
import { issueNonce } from "@/lib/auth/nonces";
import { requestOptions } from "@/lib/auth/passkeys";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { SoftwareAuthenticator } from "@/lib/testing/authenticator";
import { ANONYMOUS, type Answer, aUser, auditCount, type Caller, send } from "@/lib/testing/console";
import { aPasskey, passkeyAssertion, passkeyCreation, proved, signInWithPasskey } from "@/lib/testing/passkeys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createPasskey } from "./create-passkey";
import { deleteUserPasskey } from "./delete-user-passkey";
import { getPasskeyOffer } from "./get-passkey-offer";
import { loginWithPasskey } from "./login-with-passkey";
import { validateCreatePasskey } from "./validate-create-passkey";
import { validateLoginWithPasskey } from "./validate-login-with-passkey";

setUpTestDatabase();

const APP_ORIGIN = "http://localhost:3000";

function from(address: string): Caller {
  return { headers: { "x-slipway-remote-address": address } };
}

/** All of an answer that does not differ from request to request by itself. */
function comparable({ status, body, headers }: Answer): string {
  const { requestId: _id, ...rest } = body;
  return JSON.stringify({ status, rest, names: [...headers.keys()].sort(), cookie: headers.get("set-cookie") });
}

async function expectRefused(answer: Answer): Promise<void> {
  expect([answer.status, answer.body.code]).toEqual([401, "invalid_passkey"]);
  expect(answer.headers.get("set-cookie")).toBeNull();
}

describe("the options for a sign-in", () => {
  it("are the same for everyone but for their challenge, name no credential and require verification", async () => {
    const user = await aUser();
    await aPasskey(user);
    const answers = [
      await send(loginWithPasskey, ANONYMOUS),
      await send(loginWithPasskey, user),
      await send(getPasskeyOffer, ANONYMOUS),
      await send(getPasskeyOffer, user),
    ];
    const shapes = answers.map(({ status, headers, body: { challenge, ...rest } }) => {
      // More than the 16 bytes that WebAuthn asks for (Level 3, 13.4.3).
      expect(Buffer.from(challenge, "base64url").length).toBeGreaterThanOrEqual(16);
      return JSON.stringify({ status, rest, names: [...headers.keys()].sort() });
    });
    expect(new Set(shapes).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.challenge)).size).toBe(answers.length);
    expect(answers[0]?.body).toEqual({
      rpId: "localhost",
      challenge: expect.any(String),
      timeout: 300_000,
      userVerification: "required",
    });
    expect(answers[0]?.headers.get("set-cookie")).toBeNull();
  });

  it("are recorded when a sign-in begins, and not when the page offers passkeys", async () => {
    const [records, tokens] = [await auditCount(), await db.oneTimeToken.count()];
    for (let visit = 0; visit < 3; visit += 1) await send(getPasskeyOffer, ANONYMOUS);
    expect([await auditCount(), await db.oneTimeToken.count()]).toEqual([records, tokens]);
    await send(loginWithPasskey, ANONYMOUS);
    expect(await auditCount()).toBe(records + 1);
  });
});

describe("a sign-in with a passkey", () => {
  it.each(["ES256", "EdDSA", "RS256"] as const)(
    "by %s opens a session that has passed its second factor",
    async (algorithm) => {
      const user = await aUser();
      const authenticator = new SoftwareAuthenticator();
      await send(validateCreatePasskey, user, await passkeyCreation(user, authenticator, { algorithm }));
      await db.twoFactor.create({ data: { userId: user.userId, secret: new Uint8Array(40), enabledAt: new Date() } });
      const before = await auditCount();
      const answer = await signInWithPasskey(authenticator);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        user: expect.objectContaining({ id: user.userId, email: user.email, twoFactorEnabled: true }),
        exp: expect.any(Number),
        twoFactorRequired: false,
      });
      expect(await auditCount()).toBe(before + 2);
      const cookie = answer.headers.get("set-cookie") as string;
      expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);
      const profile = await send(getUserProfile, { headers: { cookie: cookie.split(";")[0] as string } });
      expect(profile.body.user.id).toBe(user.userId);
      const session = await db.session.findFirstOrThrow({ where: { userId: user.userId, method: "passkey" } });
      expect(session.secondFactorAt).not.toBeNull();
      const kept = await db.passkey.findFirstOrThrow({ where: { userId: user.userId } });
      expect([kept.counter, kept.lastUsedAt]).toEqual([2n, expect.any(Date)]);
      expect((await db.user.findUniqueOrThrow({ where: { id: user.userId } })).lastSignInAt).not.toBeNull();
    },
  );

  it("works again and again with a passkey whose counter stays 0, as those that are synchronised do", async () => {
    const { authenticator } = await aPasskey(await aUser(), { counts: false, backedUp: true });
    expect((await signInWithPasskey(authenticator)).status).toBe(200);
    expect((await signInWithPasskey(authenticator)).status).toBe(200);
  });

  it("is refused when its challenge has been used before, whether it was right or not", async () => {
    const { authenticator } = await aPasskey(await aUser(), { counts: false });
    const input = await passkeyAssertion(authenticator);
    expect((await send(validateLoginWithPasskey, ANONYMOUS, input)).status).toBe(200);
    await expectRefused(await send(validateLoginWithPasskey, ANONYMOUS, input));

    const { body: options } = await send(loginWithPasskey, ANONYMOUS);
    const answered = (userVerified: boolean) => ({
      response: authenticator.get(options, { origin: APP_ORIGIN, userVerified }),
    });
    await expectRefused(await send(validateLoginWithPasskey, ANONYMOUS, answered(false)));
    await expectRefused(await send(validateLoginWithPasskey, ANONYMOUS, answered(true)));
  });

  it("is taken by an offer of the page as well, once", async () => {
    const { authenticator } = await aPasskey(await aUser(), { counts: false });
    const { body: options } = await send(getPasskeyOffer, ANONYMOUS);
    const input = { response: authenticator.get(options, { origin: APP_ORIGIN }) };
    expect((await send(validateLoginWithPasskey, ANONYMOUS, input)).status).toBe(200);
    await expectRefused(await send(validateLoginWithPasskey, ANONYMOUS, input));
  });

  it("is refused when its challenge is the nonce of a password", async () => {
    const { authenticator } = await aPasskey(await aUser());
    const challenge = Buffer.from(issueNonce("password", new Date())).toString("base64url");
    await expectRefused(await signInWithPasskey(authenticator, { challenge }));
  });

  it("begins one session, also with several simultaneous requests with the same response", async () => {
    const user = await aUser();
    const { authenticator } = await aPasskey(user, { counts: false });
    const input = await passkeyAssertion(authenticator);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send(validateLoginWithPasskey, ANONYMOUS, input)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect(await db.session.count({ where: { userId: user.userId, method: "passkey" } })).toBe(1);
  });

  it("is refused when its challenge is older than five minutes", async () => {
    const { authenticator } = await aPasskey(await aUser());
    const madeAgo = async (seconds: number) => {
      const challenge = (await requestOptions("passkey-login", new Date(Date.now() - seconds * 1000))).challenge;
      return passkeyAssertion(authenticator, { challenge });
    };
    await expectRefused(await send(validateLoginWithPasskey, ANONYMOUS, await madeAgo(301)));
    expect((await send(validateLoginWithPasskey, ANONYMOUS, await madeAgo(240))).status).toBe(200);
  });

  it("is refused when its challenge was given for a new passkey", async () => {
    const user = await aUser();
    const { authenticator } = await aPasskey(user);
    const { body: options } = await send(createPasskey, user);
    const response = authenticator.get({ ...options, rpId: "localhost" }, { origin: APP_ORIGIN });
    await expectRefused(await send(validateLoginWithPasskey, ANONYMOUS, { response }));
  });

  it.each([
    ["comes from another origin", { origin: "https://evil.example" }],
    ["comes from another port", { origin: "http://localhost:3001" }],
    ["is for another RP id", { rpId: "evil.example" }],
    ["was made in a frame of another site", { crossOrigin: true }],
    ["was made without verification of the user", { userVerified: false }],
    ["was made without anybody there", { userPresent: false }],
    ["answers a challenge that nobody gave", { challenge: Buffer.alloc(32, 7).toString("base64url") }],
    ["is the making of a passkey", { type: "webauthn.create" }],
    ["does not say whose it is", { userHandle: null }],
    ["has a counter that stands still", { counter: 1 }],
    ["has a counter that has gone back to 0", { counter: 0 }],
  ])("is refused when it %s", async (_case, bent) => {
    const user = await aUser();
    const { authenticator } = await aPasskey(user);
    await expectRefused(await signInWithPasskey(authenticator, bent));
    expect(await db.session.count({ where: { userId: user.userId, method: "passkey" } })).toBe(0);
  });

  it("is refused when the counter goes back behind a later sign-in, and that one stays as it was", async () => {
    const user = await aUser();
    const { authenticator } = await aPasskey(user);
    expect((await signInWithPasskey(authenticator, { counter: 90 })).status).toBe(200);
    await expectRefused(await signInWithPasskey(authenticator, { counter: 89 }));
    expect((await db.passkey.findFirstOrThrow({ where: { userId: user.userId } })).counter).toBe(90n);
  });

  it("accepts one of two copies of an authenticator that respond simultaneously with the same counter", async () => {
    const { authenticator } = await aPasskey(await aUser());
    const inputs = [
      await passkeyAssertion(authenticator, { counter: 50 }),
      await passkeyAssertion(authenticator, { counter: 50 }),
    ];
    const answers = await Promise.all(inputs.map((input) => send(validateLoginWithPasskey, ANONYMOUS, input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it("is refused when another user is named as its owner", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const { authenticator } = await aPasskey(user);
    const userHandle = Buffer.from(other.userId).toString("base64url");
    await expectRefused(await signInWithPasskey(authenticator, { userHandle }));
  });

  it("is refused when it is signed by another user's passkey under this one's id", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const [{ authenticator }, { authenticator: theirs }] = [await aPasskey(user), await aPasskey(other)];
    const { response } = await passkeyAssertion(theirs, { userHandle: Buffer.from(user.userId).toString("base64url") });
    const id = authenticator.credentials[0]?.id.toString("base64url");
    await expectRefused(await send(validateLoginWithPasskey, ANONYMOUS, { response: { ...response, id, rawId: id } }));
  });

  it.each(["signature", "authenticatorData", "clientDataJSON"] as const)(
    "is refused when its %s was tampered with",
    async (field) => {
      const { authenticator } = await aPasskey(await aUser());
      const { response } = await passkeyAssertion(authenticator);
      const bytes = Buffer.from(response.response[field], "base64url");
      bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
      const tampered = { ...response, response: { ...response.response, [field]: bytes.toString("base64url") } };
      await expectRefused(await send(validateLoginWithPasskey, ANONYMOUS, { response: tampered }));
    },
  );

  it("is refused with a passkey that its owner has deleted", async () => {
    const user = await aUser();
    const { id, authenticator } = await aPasskey(user);
    await send(deleteUserPasskey, await proved(user), { id });
    await expectRefused(await signInWithPasskey(authenticator));
  });

  it("gives the same response to an unknown passkey, an inactive user's, a wrong signature and an expired challenge, and records each", async () => {
    const [good, inactive] = [await aUser(), await aUser()];
    const [{ authenticator }, { authenticator: theirs }] = [await aPasskey(good), await aPasskey(inactive)];
    const unknown = new SoftwareAuthenticator();
    unknown.create(
      { challenge: "", rp: { id: "localhost" }, user: { id: Buffer.from(good.userId).toString("base64url") } },
      { origin: APP_ORIGIN },
    );
    await db.user.update({ where: { id: inactive.userId }, data: { status: "inactive" } });
    const { challenge } = await requestOptions("passkey-login", new Date(Date.now() - 301_000));
    const old = await passkeyAssertion(authenticator, { challenge });
    const answers = [
      await signInWithPasskey(unknown),
      await signInWithPasskey(theirs),
      await signInWithPasskey(authenticator, { type: "other" }),
      await send(validateLoginWithPasskey, ANONYMOUS, old),
    ];
    for (const answer of answers) await expectRefused(answer);
    expect(new Set(answers.map(comparable)).size).toBe(1);
    const records = await db.auditRecord.findMany({
      where: { action: "sign-in-failed" },
      orderBy: { id: "desc" },
      take: 4,
    });
    expect(records.map(({ recordId }) => recordId).reverse()).toEqual([
      null,
      inactive.userId,
      good.userId,
      good.userId,
    ]);
  });

  it("stops attempts after ten refusals, and lets the owner sign in from elsewhere", async () => {
    const { authenticator } = await aPasskey(await aUser());
    for (let turn = 0; turn < 10; turn++) {
      const answer = await signInWithPasskey(authenticator, { userVerified: false }, from("192.0.2.66"));
      expect(answer.status).toBe(401);
    }
    const blocked = await signInWithPasskey(authenticator, {}, from("192.0.2.66"));
    expect([blocked.status, blocked.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await signInWithPasskey(authenticator, {}, from("192.0.2.7"))).status).toBe(200);
  });
});
