import { describe, expect, it } from "vitest";
import { hashRecoveryCode, newRecoveryCodes } from "@/lib/auth/recovery-codes";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { logout } from "@/lib/features/auth/operations/logout";
import { refresh } from "@/lib/features/auth/operations/refresh";
import { aUser, type Caller, requestedMails, send, sessionOf, type TestUser } from "@/lib/testing/console";
import { beforeHandler } from "@/lib/testing/overtake";
import { codeOf, withTwoFactor, wrongCode } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { replaceRecoveryCodes } from "../data";
import { getTwoFactor } from "./get-two-factor";
import { validateTwoFactor } from "./validate-two-factor";

setUpTestDatabase();

/** Someone who has signed in with the first factor, and their app's secret. */
async function halfSignedIn(): Promise<{ user: TestUser; secret: string }> {
  const user = await aUser();
  return { user, secret: await withTwoFactor(user) };
}

async function giveRecoveryCodes({ userId }: TestUser): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(db, userId, codes.map(hashRecoveryCode));
  return codes;
}

function from(address: string, { headers }: Caller): Caller {
  return { headers: { ...headers, "x-slipway-remote-address": address } };
}

/** Another session of the same person, as after another sign-in. */
async function anotherSession({ userId }: TestUser): Promise<TestUser> {
  const stranger = await aUser();
  await db.session.update({ where: { id: stranger.sessionId }, data: { userId } });
  return { ...stranger, userId };
}

describe("a session that has still to pass the second factor", () => {
  it("can identify its user, be refreshed and be signed out, and nothing else", async () => {
    const { user } = await halfSignedIn();
    expect((await send(getUserProfile, user)).body.user.twoFactorEnabled).toBe(true);
    expect((await send(refresh, user)).status).toBe(200);
    const answer = await send(getTwoFactor, user);
    expect([answer.status, answer.body.code]).toEqual([403, "two_factor_required"]);
    expect((await send(logout, user)).status).toBe(204);
    expect((await send(getUserProfile, user)).status).toBe(401);
  });
});

describe("a code of the app", () => {
  it("passes the second factor and moves the session to a new id and token, which ends when it would have", async () => {
    const { user, secret } = await halfSignedIn();
    const before = await db.session.findUniqueOrThrow({ where: { id: user.sessionId } });
    const answer = await send(validateTwoFactor, user, { code: codeOf(secret) });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["exp"]);
    const [after, ...others] = await db.session.findMany({ where: { userId: user.userId } });
    expect(others).toEqual([]);
    expect(after?.id).not.toBe(before.id);
    expect(after?.absoluteExpiresAt).toEqual(before.absoluteExpiresAt);
    expect(after?.secondFactorAt).not.toBeNull();
    expect(answer.body.exp).toBe(Math.floor((after?.expiresAt.getTime() as number) / 1000));
    expect((await send(getTwoFactor, sessionOf(answer.headers))).status).toBe(200);
    expect((await send(getUserProfile, user)).body.code).toBe("session_expired");
  });

  it("never moves the session past its absolute end", async () => {
    const { user, secret } = await halfSignedIn();
    const absoluteExpiresAt = new Date(Date.now() + 120_000);
    await db.session.update({ where: { id: user.sessionId }, data: { absoluteExpiresAt } });
    const { body } = await send(validateTwoFactor, user, { code: codeOf(secret) });
    expect(body.exp).toBe(Math.floor(absoluteExpiresAt.getTime() / 1000));
  });

  it("works once: in another session of the same person it is refused, and says why", async () => {
    const { user, secret } = await halfSignedIn();
    const other = await anotherSession(user);
    const code = codeOf(secret);
    expect((await send(validateTwoFactor, user, { code })).status).toBe(200);
    const replayed = await send(validateTwoFactor, other, { code });
    expect([replayed.status, replayed.body.code]).toEqual([401, "invalid_otp"]);
    expect(replayed.body.detail).toContain("already been used");
    expect(replayed.headers.get("set-cookie")).toBeNull();
  });

  it("makes the codes before it invalid", async () => {
    const { user, secret } = await halfSignedIn();
    const other = await anotherSession(user);
    const now = Date.now();
    const next = codeOf(secret, new Date(now + 30_000));
    expect((await send(validateTwoFactor, user, { code: next })).status).toBe(200);
    expect((await send(validateTwoFactor, other, { code: codeOf(secret, new Date(now)) })).status).toBe(401);
  });

  it("works once, also with several simultaneous requests", async () => {
    const { user, secret } = await halfSignedIn();
    const sessions = [user, ...(await Promise.all(Array.from({ length: 5 }, () => anotherSession(user))))];
    const code = codeOf(secret);
    const answers = await Promise.all(sessions.map((session) => send(validateTwoFactor, session, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    expect(await db.session.count({ where: { userId: user.userId, secondFactorAt: { not: null } } })).toBe(1);
  });

  it("is refused if its secret was replaced after the check", async () => {
    const { user, secret } = await halfSignedIn();
    beforeHandler(validateTwoFactor, () => withTwoFactor(user));
    const answer = await send(validateTwoFactor, user, { code: codeOf(secret) });
    expect([answer.status, answer.body.code]).toEqual([401, "invalid_otp"]);
    expect(await db.session.count({ where: { userId: user.userId, secondFactorAt: null } })).toBe(1);
  });

  it("leaves a record where it is wrong, as a failed sign-in does", async () => {
    const { user, secret } = await halfSignedIn();
    const answer = await send(validateTwoFactor, user, { code: wrongCode(secret) });
    expect([answer.status, answer.body.code]).toEqual([401, "invalid_otp"]);
    const records = await db.auditRecord.findMany({ where: { recordId: user.userId } });
    expect(records.map(({ action }) => action)).toEqual(["second-factor-failed"]);
  });

  it("is refused where the second factor is off or was never proved", async () => {
    const user = await aUser();
    const secret = await withTwoFactor(user);
    await db.twoFactor.update({ where: { userId: user.userId }, data: { enabledAt: null } });
    for (const session of [user, await aUser()]) {
      const answer = await send(validateTwoFactor, session, { code: codeOf(secret) });
      expect([answer.status, answer.body.code]).toEqual([409, "two_factor_disabled"]);
    }
  });
});

describe("a recovery code", () => {
  it("passes the second factor once, in any case and grouping", async () => {
    const { user } = await halfSignedIn();
    const other = await anotherSession(user);
    const [code = ""] = await giveRecoveryCodes(user);
    const typed = ` ${code.replaceAll("-", " ").toUpperCase()} `;
    const answer = await send(validateTwoFactor, user, { recoveryCode: typed });
    expect(answer.status).toBe(200);
    expect((await send(getTwoFactor, sessionOf(answer.headers))).body.recoveryCodesLeft).toBe(9);
    const again = await send(validateTwoFactor, other, { recoveryCode: code });
    expect([again.status, again.body.code]).toEqual([401, "invalid_otp"]);
  });

  it("tells its owner by mail that it was used, from where, and how many are left; a code of the app does not", async () => {
    const { user, secret } = await halfSignedIn();
    const other = await anotherSession(user);
    const [code = ""] = await giveRecoveryCodes(user);
    expect((await send(validateTwoFactor, other, { code: codeOf(secret) })).status).toBe(200);
    expect(await requestedMails(user.userId)).toEqual([]);
    const before = Date.now();
    expect((await send(validateTwoFactor, from("192.0.2.9", user), { recoveryCode: code })).status).toBe(200);
    const [mail, ...more] = (await requestedMails(user.userId)) as { at: string }[];
    expect([mail, more]).toEqual([
      expect.objectContaining({ purpose: "recovery-code-used", ip: "192.0.2.9", codesLeft: 9 }),
      [],
    ]);
    expect(Date.parse(mail?.at as string)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(mail?.at as string)).toBeLessThanOrEqual(Date.now());
  });

  it("works once, also with several simultaneous requests", async () => {
    const { user } = await halfSignedIn();
    const [recoveryCode = ""] = await giveRecoveryCodes(user);
    const sessions = [user, ...(await Promise.all(Array.from({ length: 4 }, () => anotherSession(user))))];
    const answers = await Promise.all(sessions.map((session) => send(validateTwoFactor, session, { recoveryCode })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it("of another user is refused", async () => {
    const [{ user }, { user: other }] = [await halfSignedIn(), await halfSignedIn()];
    const [recoveryCode = ""] = await giveRecoveryCodes(other);
    expect((await send(validateTwoFactor, user, { recoveryCode })).status).toBe(401);
    expect(await db.recoveryCode.count({ where: { userId: other.userId, usedAt: null } })).toBe(10);
  });

  it("is sent alone: neither both nor none", async () => {
    const { user } = await halfSignedIn();
    for (const input of [{}, { code: "123456", recoveryCode: "x" }]) {
      const answer = await send(validateTwoFactor, user, input);
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, "code"]);
    }
  });
});

describe("an attacker who guesses codes", () => {
  it("gets ten wrong codes from one address, while the user can sign in from elsewhere", async () => {
    const { user, secret } = await halfSignedIn();
    const code = wrongCode(secret);
    const guesser = from("192.0.2.66", user);
    for (let turn = 0; turn < 10; turn++) {
      expect((await send(validateTwoFactor, guesser, { code })).status).toBe(401);
    }
    const stopped = await send(validateTwoFactor, guesser, { code: codeOf(secret) });
    expect([stopped.status, stopped.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(stopped.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send(validateTwoFactor, from("192.0.2.7", user), { code: codeOf(secret) })).status).toBe(200);
  });

  it("gets thirty wrong codes from everywhere, also simultaneously, while the user can use a recovery code", async () => {
    const { user, secret } = await halfSignedIn();
    const [recoveryCode = ""] = await giveRecoveryCodes(user);
    const code = wrongCode(secret);
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => send(validateTwoFactor, from(`192.0.2.${index}`, user), { code })),
    );
    const refused = guesses.filter(({ status }) => status === 429);
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(30);
    expect(refused).toHaveLength(10);
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(8 * 3_600);
    const elsewhere = from("192.0.2.200", user);
    expect((await send(validateTwoFactor, elsewhere, { code: codeOf(secret) })).status).toBe(429);
    expect((await send(validateTwoFactor, elsewhere, { recoveryCode })).status).toBe(200);
  });

  it("does not lock users out of networks from which they have passed the second factor", async () => {
    const { user, secret } = await halfSignedIn();
    const pass = async (address: string, code: string) => {
      await db.twoFactor.update({ where: { userId: user.userId }, data: { lastUsedStep: null } });
      return (await send(validateTwoFactor, from(address, await anotherSession(user)), { code })).status;
    };
    expect(await pass("2001:db8:0:7::1", codeOf(secret))).toBe(200);
    await db.rateLimit.update({ where: { key: `otp-account:${user.userId}` }, data: { points: 30 } });
    expect(await pass("192.0.2.8", codeOf(secret))).toBe(429);
    expect(await pass("2001:db8:0:7::2", codeOf(secret))).toBe(200);
  });

  it("gets thirty wrong codes in a network that the user uses too", async () => {
    const { user, secret } = await halfSignedIn();
    const neighbour = () => anotherSession(user);
    expect((await send(validateTwoFactor, from("192.0.2.9", user), { code: codeOf(secret) })).status).toBe(200);
    expect(
      (await send(validateTwoFactor, from("192.0.2.9", await neighbour()), { code: wrongCode(secret) })).status,
    ).toBe(401);
    const { key } = await db.rateLimit.findFirstOrThrow({
      where: { key: { startsWith: `otp-account:${user.userId} ` } },
    });
    await db.rateLimit.update({ where: { key }, data: { points: 30 } });
    const answer = await send(validateTwoFactor, from("192.0.2.9", await neighbour()), { code: wrongCode(secret) });
    expect([answer.status, Number(answer.headers.get("retry-after")) > 3_600]).toEqual([429, true]);
  });

  it("does not count with correct codes, which are not counted", async () => {
    const { user, secret } = await halfSignedIn();
    for (let turn = 0; turn < 35; turn++) {
      await db.twoFactor.update({ where: { userId: user.userId }, data: { lastUsedStep: null } });
      const session = await anotherSession(user);
      expect((await send(validateTwoFactor, session, { code: codeOf(secret) })).status).toBe(200);
    }
  });
});
