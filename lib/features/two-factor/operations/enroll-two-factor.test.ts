import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { aUser, auditCount, requestedMails, send, sessionOf, type TestUser } from "@/lib/testing/console";
import { codeOf, withTwoFactor, wrongCode } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { openSecret } from "../data";
import { enrollTwoFactor } from "./enroll-two-factor";
import { getTwoFactor } from "./get-two-factor";
import { validateTwoFactorEnrollment } from "./validate-two-factor-enrollment";

setUpTestDatabase();

async function enroll(user: TestUser): Promise<string> {
  return (await send(enrollTwoFactor, user)).body.secret;
}

describe("an enrolment that was begun", () => {
  it("gives the secret as text, as an address and as a QR code, and keeps it sealed", async () => {
    const user = await aUser();
    const { status, body } = await send(enrollTwoFactor, user);
    expect(status).toBe(200);
    const url = new URL(body.otpauthUrl);
    expect(url.searchParams.get("secret")).toBe(body.secret);
    expect(url.searchParams.get("algorithm")).toBe("SHA256");
    expect(decodeURIComponent(url.pathname)).toContain(user.email);
    expect(body.qrSvg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    const row = await db.twoFactor.findUniqueOrThrow({ where: { userId: user.userId } });
    expect(Buffer.from(row.secret).includes(body.secret)).toBe(false);
    expect(openSecret(user.userId, row)).toBe(body.secret);
    const records = JSON.stringify(await db.auditRecord.findMany({ select: { changes: true, recordId: true } }));
    expect(records).not.toContain(body.secret);
  });

  it("locks nobody out, and can be started again, which makes the first secret invalid", async () => {
    const user = await aUser();
    const first = await enroll(user);
    expect((await send(getUserProfile, user)).body.user.twoFactorEnabled).toBe(false);
    expect((await send(getTwoFactor, user)).body).toEqual({ enabled: false, enabledAt: null, recoveryCodesLeft: 0 });
    const second = await enroll(user);
    const old = await send(validateTwoFactorEnrollment, user, { code: codeOf(first) });
    expect([old.status, old.body.code]).toEqual([401, "invalid_otp"]);
    expect((await send(validateTwoFactorEnrollment, user, { code: codeOf(second) })).status).toBe(200);
  });

  it("is refused while the second factor is on, and changes nothing", async () => {
    const user = await aUser();
    await withTwoFactor(user, { passed: true });
    const before = await db.twoFactor.findUnique({ where: { userId: user.userId } });
    const audited = await auditCount();
    const answer = await send(enrollTwoFactor, user);
    expect([answer.status, answer.body.code]).toEqual([409, "two_factor_enabled"]);
    expect(await db.twoFactor.findUnique({ where: { userId: user.userId } })).toEqual(before);
    expect(await auditCount()).toBe(audited);
  });

  it("does not open in another person's row", async () => {
    const [owner, thief] = [await aUser(), await aUser()];
    const secret = await enroll(owner);
    await enroll(thief);
    const stolen = await db.twoFactor.findUniqueOrThrow({ where: { userId: owner.userId } });
    await db.twoFactor.update({ where: { userId: thief.userId }, data: { secret: stolen.secret } });
    expect(() => openSecret(thief.userId, stolen)).toThrow(/does not open/);
    const answer = await send(validateTwoFactorEnrollment, thief, { code: codeOf(secret) });
    expect([answer.status, answer.body.code]).toEqual([500, "unexpected"]);
    expect((await send(getTwoFactor, thief)).body.enabled).toBe(false);
  });
});

describe("the first code", () => {
  it("switches the second factor on, gives ten recovery codes, and moves the session to a new token", async () => {
    const user = await aUser();
    const elsewhere = await aUser();
    await db.session.update({ where: { id: elsewhere.sessionId }, data: { userId: user.userId } });
    const secret = await enroll(user);
    const grouped = codeOf(secret).replace(/^(...)/, "$1 ");
    const answer = await send(validateTwoFactorEnrollment, user, { code: grouped });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["recoveryCodes"]);
    expect(new Set(answer.body.recoveryCodes).size).toBe(10);

    const renewed = sessionOf(answer.headers);
    const state = await send(getTwoFactor, renewed);
    expect(state.body).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
    expect((await send(getUserProfile, user)).body.code).toBe("session_expired");
    // The person's other sessions have to pass it.
    expect((await send(getTwoFactor, elsewhere)).body.code).toBe("two_factor_required");
    const kept = JSON.stringify([
      await db.recoveryCode.findMany({ where: { userId: user.userId } }),
      await db.auditRecord.findMany({ select: { changes: true } }),
    ]);
    for (const code of answer.body.recoveryCodes) expect(kept).not.toContain(code);
  });

  it("tells its owner by mail that the second factor is on, and a wrong one tells nothing", async () => {
    const user = await aUser();
    const secret = await enroll(user);
    await send(validateTwoFactorEnrollment, user, { code: wrongCode(secret) });
    expect(await requestedMails(user.userId)).toEqual([]);
    await send(validateTwoFactorEnrollment, user, { code: codeOf(secret) });
    expect(await requestedMails(user.userId)).toEqual([
      { purpose: "two-factor-enabled", userId: user.userId, locale: "en", at: expect.any(String), ip: null },
    ]);
  });

  it("is refused where it is wrong, and nothing is on", async () => {
    const user = await aUser();
    const secret = await enroll(user);
    const audited = await auditCount();
    const answer = await send(validateTwoFactorEnrollment, user, { code: wrongCode(secret) });
    expect([answer.status, answer.body.code]).toEqual([401, "invalid_otp"]);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect((await send(getTwoFactor, user)).body.enabled).toBe(false);
    expect(await auditCount()).toBe(audited);
  });

  it("of an app that silently uses SHA-1 is recognised and named, in each language, and nothing is on", async () => {
    const user = await aUser();
    const secret = await enroll(user);
    const details = new Set<string>();
    for (const locale of LOCALES) {
      const answer = await send(
        validateTwoFactorEnrollment,
        user,
        { code: codeOf(secret, new Date(), "sha1") },
        { headers: { "accept-language": locale } },
      );
      expect([answer.status, answer.body.code]).toEqual([401, "invalid_otp"]);
      expect(answer.body.detail).toMatch(/SHA-1\b.*SHA-256/);
      details.add(answer.body.detail);
    }
    expect(details.size).toBe(LOCALES.length);
    expect((await send(getTwoFactor, user)).body.enabled).toBe(false);
  });

  it("is refused where no enrolment is under way, and where it is over", async () => {
    const user = await aUser();
    const none = await send(validateTwoFactorEnrollment, user, { code: "123456" });
    expect([none.status, none.body.code]).toEqual([409, "two_factor_disabled"]);
    const secret = await withTwoFactor(user, { passed: true });
    const over = await send(validateTwoFactorEnrollment, user, { code: codeOf(secret) });
    expect([over.status, over.body.code]).toEqual([409, "two_factor_enabled"]);
  });

  it("counts once for two requests at the same moment", async () => {
    const user = await aUser();
    const code = codeOf(await enroll(user));
    const answers = await Promise.all([1, 2, 3].map(() => send(validateTwoFactorEnrollment, user, { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await db.recoveryCode.count({ where: { userId: user.userId } })).toBe(10);
    expect(await db.session.count({ where: { userId: user.userId } })).toBe(1);
  });

  it.each(["12345", "1234567", "12345a", "", "１２３４５６"])(
    "%j is no code, and says so at the field",
    async (code) => {
      const answer = await send(validateTwoFactorEnrollment, await aUser(), { code });
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, "code"]);
    },
  );
});
