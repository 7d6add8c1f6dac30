import { beforeAll, describe, expect, it } from "vitest";
import { issueNonce } from "@/lib/auth/nonces";
import { TOKEN_LIFETIME_SECONDS } from "@/lib/auth/one-time-tokens";
import { hashPassword } from "@/lib/auth/passwords";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { newSetupLink } from "@/lib/auth/setup";
import { db } from "@/lib/db/client";
import { ANONYMOUS, aUser, auditCount, type Caller, send, sessionOf } from "@/lib/testing/console";
import { sealedPassword } from "@/lib/testing/password";
import { setUpTestDatabase } from "@/scripts/test-database";
import { emailLogin } from "./email-login";
import { getUserProfile } from "./get-user-profile";
import { logout } from "./logout";
import { refresh } from "./refresh";
import { setupFirstAdmin } from "./setup-first-admin";

setUpTestDatabase();

const PASSWORD = "correct horse battery";

function from(address: string): Caller {
  return { headers: { "x-slipway-remote-address": address } };
}

async function signIn(email: string, password = PASSWORD) {
  return send(emailLogin, ANONYMOUS, { email, password: await sealedPassword(password) });
}

/** Raises each count of one wrong attempt to nine, without hashing a password for each attempt. */
async function countNineAttempts(): Promise<void> {
  await db.$executeRaw`UPDATE "RateLimit" SET "points" = 9 WHERE "key" LIKE 'sign-in-account-%' AND "points" = 1`;
}

/** The hash of PASSWORD. */
let passwordHash: string;

beforeAll(async () => {
  await ensureServerKeys();
  passwordHash = await hashPassword(PASSWORD);
});

describe("the first administrator", () => {
  const admin = { firstNames: "Grace", lastNames: "Hopper" };
  const tokenOf = async () => new URL(await newSetupLink(db, new Date())).searchParams.get("token") as string;

  it("is refused without the link that was printed last", async () => {
    const old = await tokenOf();
    await tokenOf();
    const before = await auditCount();
    for (const token of [old, "x"]) {
      const answer = await send(setupFirstAdmin, ANONYMOUS, {
        ...admin,
        email: "g@example.test",
        token,
        password: PASSWORD,
      });
      expect([answer.status, answer.body.code]).toEqual([401, "invalid_token"]);
    }
    expect(await auditCount()).toBe(before);
  });

  it("is refused with a weak password, and the link stays valid", async () => {
    const token = await tokenOf();
    const weak = await send(setupFirstAdmin, ANONYMOUS, {
      ...admin,
      email: "g@example.test",
      token,
      password: "short",
    });
    expect([weak.status, weak.body.errors[0].path]).toEqual([422, "password"]);
    expect(await db.oneTimeToken.count({ where: { purpose: "setup", usedAt: null } })).toBe(1);
  });

  it("is one, also with several simultaneous attempts", async () => {
    const token = await tokenOf();
    const tries = await Promise.all(
      Array.from({ length: 5 }, async (_, index) =>
        send(setupFirstAdmin, ANONYMOUS, {
          ...admin,
          email: `g${index}@example.test`,
          token,
          password: index % 2 ? PASSWORD : await sealedPassword(PASSWORD),
        }),
      ),
    );
    const codes = tries.map(({ status, body }) => (status === 201 ? "made" : body.code));
    expect(codes.sort()).toEqual(["already_set_up", "already_set_up", "already_set_up", "already_set_up", "made"]);
    expect(await db.user.count()).toBe(1);
    const profile = await send(
      getUserProfile,
      sessionOf(tries.find(({ status }) => status === 201)?.headers as Headers),
    );
    expect(profile.body.user.role.name).toBe("SUPER_ADMIN");
    const late = await send(setupFirstAdmin, ANONYMOUS, {
      ...admin,
      email: "l@example.test",
      token,
      password: PASSWORD,
    });
    expect([late.status, late.body.code]).toEqual([409, "already_set_up"]);
  });
});

describe("signing in by e-mail", () => {
  it("gives a session whose cookie scripts cannot read and other sites do not send", async () => {
    const user = await aUser({ passwordHash });
    const answer = await signIn(user.email.toUpperCase());
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ user: { id: user.userId, email: user.email }, twoFactorRequired: false });
    expect(answer.body.exp).toBeGreaterThan(Date.now() / 1000);
    expect(answer.headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);
    const profile = await send(getUserProfile, sessionOf(answer.headers));
    expect(profile.body.user.id).toBe(user.userId);
    const token = sessionOf(answer.headers).headers.cookie?.split("=")[1] as string;
    const kept = JSON.stringify(await db.session.findMany());
    expect(kept).not.toContain(token);
  });

  it("gives the same response to a wrong password, an unknown e-mail, an inactive user, and one without a password", async () => {
    const passwordHash = await hashPassword(PASSWORD);
    const [good, inactive, invited] = [
      await aUser({ passwordHash }),
      await aUser({ passwordHash, status: "inactive" }),
      await aUser(),
    ];
    const before = await auditCount();
    const answers = [
      await signIn(good.email, "wrong horse battery"),
      await signIn("nobody@example.test"),
      await signIn(inactive.email),
      await signIn(invited.email),
    ];
    const seen = answers.map(({ status, body, headers }) => {
      const { requestId: _id, ...rest } = body;
      const names = [...headers.keys()].sort();
      return JSON.stringify({ status, rest, names, cookie: headers.get("set-cookie") });
    });
    expect(new Set(seen).size).toBe(1);
    expect([answers[0]?.status, answers[0]?.body.code]).toEqual([401, "invalid_credentials"]);
    // A failed sign-in is the one failure that leaves a record.
    expect(await auditCount()).toBe(before + answers.length);
  });

  it("finds the user by the whole e-mail: wildcards in it mean themselves", async () => {
    const user = await aUser({ passwordHash });
    expect((await signIn(user.email.replace(/^./, "_"))).status).toBe(401);
  });

  it("accepts a nonce once, for five minutes, and only if the console issued it", async () => {
    const user = await aUser({ passwordHash });
    const nonce = issueNonce("password", new Date());
    const envelope = await sealedPassword(PASSWORD, nonce);
    expect((await send(emailLogin, ANONYMOUS, { email: user.email, password: envelope })).status).toBe(200);
    const replayed = await send(emailLogin, ANONYMOUS, { email: user.email, password: envelope });
    expect([replayed.status, replayed.body.code]).toEqual([400, "invalid_nonce"]);

    const old = issueNonce("password", new Date(Date.now() - (TOKEN_LIFETIME_SECONDS.nonce + 1) * 1000));
    for (const wrong of [old, `${nonce.slice(0, -2)}xx`, "mine"]) {
      const answer = await send(emailLogin, ANONYMOUS, {
        email: user.email,
        password: await sealedPassword(PASSWORD, wrong),
      });
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_nonce"]);
    }
  });

  it("refuses a password in plain text", async () => {
    const answer = await send(emailLogin, ANONYMOUS, { email: "a@example.test", password: PASSWORD });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "password"]);
  });

  it("refuses a password that is encrypted for another key", async () => {
    const parts = (await sealedPassword(PASSWORD)).split(".");
    const header = { ...JSON.parse(Buffer.from(parts[0] as string, "base64url").toString()), kid: "another" };
    parts[0] = Buffer.from(JSON.stringify(header)).toString("base64url");
    const answer = await send(emailLogin, ANONYMOUS, { email: "a@example.test", password: parts.join(".") });
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_nonce"]);
  });

  it("stops guessing after ten wrong attempts, and lets the user sign in from elsewhere", async () => {
    const user = await aUser({ passwordHash });
    for (let turn = 0; turn < 10; turn++) {
      const password = await sealedPassword("wrong horse battery");
      const answer = await send(emailLogin, from("192.0.2.66"), { email: user.email, password });
      expect(answer.status).toBe(401);
    }
    const password = await sealedPassword(PASSWORD);
    const blocked = await send(emailLogin, from("192.0.2.66"), { email: user.email, password });
    expect([blocked.status, blocked.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
    const elsewhere = await send(emailLogin, from("192.0.2.7"), {
      email: user.email,
      password: await sealedPassword(PASSWORD),
    });
    expect(elsewhere.status).toBe(200);
  });

  it("counts all addresses of an IPv6 /64 as one", async () => {
    const user = await aUser({ passwordHash });
    const login = async (address: string, password: string) =>
      (await send(emailLogin, from(address), { email: user.email, password: await sealedPassword(password) })).status;
    expect(await login("2001:db8:0:64:1::1", "wrong horse battery")).toBe(401);
    await countNineAttempts();
    expect(await login("2001:db8:0:64:2::2", "wrong horse battery")).toBe(401);
    expect(await login("2001:db8:0:64:ffff::1", PASSWORD)).toBe(429);
    expect(await login("2001:db8:0:65::1", PASSWORD)).toBe(200);
    // Known in a network, a user is known at each of its addresses.
    await db.$executeRaw`UPDATE "RateLimit" SET "points" = 100 WHERE "key" LIKE 'sign-in-account:%'`;
    expect(await login("2001:db8:0:66::1", PASSWORD)).toBe(429);
    expect(await login("2001:db8:0:65:abcd::9", PASSWORD)).toBe(200);
  });

  it("bounds the wrong tries of one network, whatever accounts they are for, and counts no right one", async () => {
    const [known, other] = [await aUser({ passwordHash }), await aUser({ passwordHash })];
    const login = async (address: string, email: string) =>
      (await send(emailLogin, from(address), { email, password: await sealedPassword(PASSWORD) })).status;
    const counted = () => db.rateLimit.findUnique({ where: { key: "sign-in-network:192.0.2.70" } });
    expect(await login("192.0.2.70", `${crypto.randomUUID()}@example.test`)).toBe(401);
    expect(await login("192.0.2.70", known.email)).toBe(200);
    expect((await counted())?.points).toBe(1);
    await db.rateLimit.update({ where: { key: "sign-in-network:192.0.2.70" }, data: { points: 300 } });
    expect(await login("192.0.2.70", `${crypto.randomUUID()}@example.test`)).toBe(429);
    expect(await login("192.0.2.70", other.email)).toBe(429);
    expect(await login("192.0.2.70", known.email)).toBe(200);
    expect(await login("192.0.2.71", other.email)).toBe(200);
  });

  it("bounds the wrong tries of an IPv6 /48, whatever networks and accounts they are for, and counts no right one", async () => {
    const [known, other] = [await aUser({ passwordHash }), await aUser({ passwordHash })];
    const login = async (address: string, email: string) =>
      (await send(emailLogin, from(address), { email, password: await sealedPassword(PASSWORD) })).status;
    const key = "sign-in-site:2001:db8:48::/48";
    expect(await login("2001:db8:48:1::1", `${crypto.randomUUID()}@example.test`)).toBe(401);
    expect(await login("2001:db8:48:2::1", known.email)).toBe(200);
    expect((await db.rateLimit.findUnique({ where: { key } }))?.points).toBe(1);
    await db.rateLimit.update({ where: { key }, data: { points: 1_200 } });
    expect(await login("2001:db8:48:3::1", `${crypto.randomUUID()}@example.test`)).toBe(429);
    expect(await login("2001:db8:48:4::1", other.email)).toBe(429);
    expect(await login("2001:db8:48:2::2", known.email)).toBe(200);
    expect(await login("2001:db8:49:4::1", other.email)).toBe(200);
  });

  it("counts an account whose address is as long as addresses get", async () => {
    const email = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(58)}.de`;
    expect(email).toHaveLength(254);
    const answer = await send(emailLogin, from("2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff"), {
      email,
      password: await sealedPassword(PASSWORD),
    });
    expect([answer.status, answer.body.code]).toEqual([401, "invalid_credentials"]);
  });

  it("bounds a guesser with many addresses, who does not lock the user out of the address that they are known at", async () => {
    const user = await aUser({ passwordHash });
    const login = async (address: string, password: string) =>
      send(emailLogin, from(address), { email: user.email, password: await sealedPassword(password) });
    expect((await login("192.0.2.7", PASSWORD)).status).toBe(200);
    // What a hundred tries would leave, without a hundred hashes.
    await db.$executeRaw`UPDATE "RateLimit" SET "points" = 100 WHERE "key" LIKE 'sign-in-account:%'`;
    const guess = await login("198.51.100.9", "wrong horse battery");
    expect([guess.status, guess.body.code]).toEqual([429, "rate_limited"]);
    const right = await login("198.51.100.9", PASSWORD);
    expect(right.status).toBe(429);
    expect((await login("192.0.2.7", PASSWORD)).status).toBe(200);
  });

  it("counts no call whose body is malformed, so that others in the network cannot use up its calls with them", async () => {
    const user = await aUser({ passwordHash });
    const here = from("192.0.2.30");
    for (let turn = 0; turn < 61; turn++) expect((await send(emailLogin, here, {})).status).toBe(422);
    expect(await db.rateLimit.count({ where: { key: "email-login:192.0.2.30" } })).toBe(0);
    const right = await send(emailLogin, here, { email: user.email, password: await sealedPassword(PASSWORD) });
    expect(right.status).toBe(200);
  });

  it("lets familiar users sign in from a network whose calls others have used up", async () => {
    const [user, other] = [await aUser({ passwordHash }), await aUser({ passwordHash })];
    const login = async ({ email }: { email: string }, cookie?: string) =>
      send(
        emailLogin,
        { headers: { ...from("192.0.2.31").headers, ...(cookie && { cookie }) } },
        { email, password: await sealedPassword(PASSWORD) },
      );
    expect((await login(user)).status).toBe(200);
    await db.rateLimit.update({ where: { key: "email-login:192.0.2.31" }, data: { points: 60 } });
    expect((await login(other)).body.code).toBe("rate_limited");
    expect((await login(user)).status).toBe(200);
  });

  it("lets users sign in on their own device after others in the same network have guessed at their password", async () => {
    const user = await aUser({ passwordHash });
    const login = async (password: string, cookie?: string) =>
      send(
        emailLogin,
        { headers: { ...from("192.0.2.32").headers, ...(cookie && { cookie }) } },
        { email: user.email, password: await sealedPassword(password) },
      );
    const [, device = ""] = (await login(PASSWORD)).headers.getSetCookie();
    expect(device).toMatch(/^slipway-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
    const cookie = device.split(";")[0] as string;
    expect((await login("wrong horse battery")).status).toBe(401);
    await countNineAttempts();
    expect((await login("wrong horse battery")).status).toBe(401);
    expect((await login(PASSWORD)).status).toBe(429);
    expect((await login(PASSWORD, `slipway-device=${"a".repeat(43)}`)).status).toBe(429);
    const again = await login(PASSWORD, cookie);
    expect([again.status, again.headers.getSetCookie()[1]?.split(";")[0]]).toEqual([200, cookie]);
  });

  it("stops guessing on a device that is familiar to the account after ten wrong attempts, and on one that is not", async () => {
    const [user, own] = [await aUser({ passwordHash }), await aUser({ passwordHash })];
    const login = async (email: string, password: string, cookie?: string) =>
      send(
        emailLogin,
        { headers: { ...from("192.0.2.33").headers, ...(cookie && { cookie }) } },
        { email, password: await sealedPassword(password) },
      );
    const cookieOf = async (email: string) =>
      (await login(email, PASSWORD)).headers.getSetCookie()[1]?.split(";")[0] as string;
    for (const cookie of [await cookieOf(user.email), await cookieOf(own.email)]) {
      expect((await login(user.email, "wrong horse battery", cookie)).status).toBe(401);
      await countNineAttempts();
      expect((await login(user.email, "wrong horse battery", cookie)).status).toBe(401);
      expect((await login(user.email, PASSWORD, cookie)).status).toBe(429);
    }
  });

  it("limits attempts over all accounts together, and lets users sign in from familiar networks", async () => {
    const user = await aUser({ passwordHash });
    const login = async (address: string, email: string) =>
      send(emailLogin, from(address), { email, password: await sealedPassword(PASSWORD) });
    expect((await login("192.0.2.8", user.email)).status).toBe(200);
    // A minute from now, so that the counter does not begin again before the next call.
    const end = Date.now() + 60_000;
    await db.$executeRaw`
      UPDATE "RateLimit" SET "points" = 600, "expire" = ${end}::bigint WHERE "key" = 'sign-in-overall:all'`;
    expect((await login("198.51.100.10", `${crypto.randomUUID()}@example.test`)).status).toBe(429);
    expect((await login("192.0.2.8", user.email)).status).toBe(200);
    await db.$executeRaw`DELETE FROM "RateLimit" WHERE "key" = 'sign-in-overall:all'`;
  });
});

describe("a session", () => {
  it("is dead for every later request once it is signed out", async () => {
    const user = await aUser();
    expect((await send(getUserProfile, user)).status).toBe(200);
    const left = await send(logout, user);
    expect(left.status).toBe(204);
    expect(left.headers.get("set-cookie")).toContain("Max-Age=0");
    const answer = await send(getUserProfile, user);
    expect([answer.status, answer.body.code]).toEqual([401, "session_expired"]);
  });

  it("dies on the next request when its user is switched off", async () => {
    const user = await aUser();
    await db.user.update({ where: { id: user.userId }, data: { status: "inactive" } });
    expect((await send(getUserProfile, user)).status).toBe(401);
  });

  it("slides when it is refreshed, and never past its absolute end", async () => {
    const user = await aUser();
    await db.session.update({ where: { id: user.sessionId }, data: { expiresAt: new Date(Date.now() + 60_000) } });
    const slid = await send(refresh, user);
    expect(slid.body.exp).toBeGreaterThan(Date.now() / 1000 + 3_000);
    const absoluteExpiresAt = new Date(Date.now() + 120_000);
    await db.session.update({ where: { id: user.sessionId }, data: { absoluteExpiresAt } });
    expect((await send(refresh, user)).body.exp).toBe(Math.floor(absoluteExpiresAt.getTime() / 1000));
  });

  it("ends at its idle end and at its absolute end", async () => {
    for (const field of ["expiresAt", "absoluteExpiresAt"]) {
      const user = await aUser();
      await db.session.update({ where: { id: user.sessionId }, data: { [field]: new Date(Date.now() - 1) } });
      expect((await send(getUserProfile, user)).body.code).toBe("session_expired");
    }
  });
});
