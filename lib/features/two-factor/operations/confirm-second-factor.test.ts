import { describe, expect, it } from "vitest";
import { hashRecoveryCode, newRecoveryCodes } from "@/lib/auth/recovery-codes";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { env } from "@/lib/kernel/env";
import type { SoftwareAuthenticator } from "@/lib/testing/authenticator";
import { type Answer, aUser, type Caller, send, sessionOf, type TestUser } from "@/lib/testing/console";
import { aPasskey, signInWithPasskey } from "@/lib/testing/passkeys";
import { codeOf, withTwoFactor, wrongCode } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { replaceRecoveryCodes } from "../data";
import { confirmSecondFactor } from "./confirm-second-factor";
import { getSecondFactorOptions } from "./get-second-factor-options";
import { validateTwoFactor } from "./validate-two-factor";

setUpTestDatabase();

const sessionsOf = ({ userId }: TestUser) => db.session.findMany({ where: { userId } });

/** When the only session of a user last proved its second factor. */
async function confirmedAt(user: TestUser): Promise<Date | null> {
  const [session, ...others] = await sessionsOf(user);
  expect(others).toEqual([]);
  return session?.secondFactorConfirmedAt ?? null;
}

/** A user whose session has passed the second factor an hour ago, and their app's secret. */
async function signedInEarlier(): Promise<{ user: TestUser; secret: string }> {
  const user = await aUser();
  const secret = await withTwoFactor(user, { passed: true });
  const data = { secondFactorConfirmedAt: new Date(Date.now() - 3_600_000) };
  await db.session.update({ where: { id: user.sessionId }, data });
  return { user, secret };
}

/** The answer of an authenticator to the challenge of a caller's session. */
async function passkeyAnswer(
  caller: Caller,
  authenticator: SoftwareAuthenticator,
  bent: Partial<Parameters<SoftwareAuthenticator["get"]>[1]> = {},
) {
  const { body } = await send(getSecondFactorOptions, caller);
  return { response: authenticator.get(body.passkey, { origin: env.APP_URL, ...bent }) };
}

const refusalOf = ({ status, body }: Answer) => [status, body.code];

describe("a code of the app", () => {
  it("confirms the second factor for 15 minutes, in the same session", async () => {
    const { user, secret } = await signedInEarlier();
    const begun = Date.now();
    const { status, headers, body } = await send(confirmSecondFactor, user, { code: codeOf(secret) });
    expect([status, headers.get("set-cookie")]).toEqual([200, null]);
    const confirmed = (await confirmedAt(user))?.getTime() as number;
    expect(confirmed).toBeGreaterThanOrEqual(begun);
    expect(Date.parse(body.validUntil)).toBe(confirmed + 15 * 60_000);
    expect((await sessionsOf(user)).map(({ id }) => id)).toEqual([user.sessionId]);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({
      table: "Session",
      action: "confirm-second-factor",
      recordId: user.sessionId,
      userId: user.userId,
      changes: { by: [null, "totp"] },
    });
  });

  it("works once, also of several at the same moment", async () => {
    const { user, secret } = await signedInEarlier();
    const code = codeOf(secret);
    const tries = await Promise.all(Array.from({ length: 5 }, () => send(confirmSecondFactor, user, { code })));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it("that is wrong confirms nothing, and is recorded and limited as at the sign-in", async () => {
    const { user, secret } = await signedInEarlier();
    const before = await confirmedAt(user);
    const code = wrongCode(secret);
    for (let tries = 0; tries < 10; tries += 1) {
      expect(refusalOf(await send(confirmSecondFactor, user, { code }))).toEqual([401, "invalid_otp"]);
    }
    expect(refusalOf(await send(confirmSecondFactor, user, { code: codeOf(secret) }))).toEqual([429, "rate_limited"]);
    expect(refusalOf(await send(validateTwoFactor, user, { code: codeOf(secret) }))).toEqual([429, "rate_limited"]);
    expect(await confirmedAt(user)).toEqual(before);
    const records = await db.auditRecord.findMany({ where: { recordId: user.userId } });
    expect(records.map(({ action }) => action)).toEqual(Array(10).fill("second-factor-failed"));
  });

  it("is refused where the user has no authenticator app", async () => {
    expect(refusalOf(await send(confirmSecondFactor, await aUser(), { code: "123456" }))).toEqual([
      409,
      "two_factor_disabled",
    ]);
  });
});

describe("a passkey", () => {
  it("confirms the second factor, in the same session", async () => {
    const { user } = await signedInEarlier();
    const { id, authenticator } = await aPasskey(user);
    const begun = Date.now();
    const { status } = await send(confirmSecondFactor, user, await passkeyAnswer(user, authenticator));
    expect(status).toBe(200);
    expect((await confirmedAt(user))?.getTime()).toBeGreaterThanOrEqual(begun);
    expect((await db.passkey.findUniqueOrThrow({ where: { id } })).lastUsedAt).not.toBeNull();
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ action: "confirm-second-factor", changes: { by: [null, "passkey"] } });
  });

  it("is the second factor of a session that has passed none, which goes on under a new token", async () => {
    const user = await aUser();
    const { authenticator } = await aPasskey(user);
    const { status, headers } = await send(confirmSecondFactor, user, await passkeyAnswer(user, authenticator));
    expect(status).toBe(200);
    const [session, ...others] = await sessionsOf(user);
    expect(others).toEqual([]);
    expect(session?.id).not.toBe(user.sessionId);
    expect(session?.secondFactorAt).not.toBeNull();
    expect(session?.secondFactorConfirmedAt).toEqual(session?.secondFactorAt);
    expect((await send(getUserProfile, user)).status).toBe(401);
    expect((await send(getUserProfile, sessionOf(headers))).status).toBe(200);
  });

  it("is asked for by name, and not at all where the user has none", async () => {
    const { user } = await signedInEarlier();
    expect((await send(getSecondFactorOptions, user)).body).toEqual({ totp: true, passkey: null });
    const { authenticator } = await aPasskey(user);
    const { body } = await send(getSecondFactorOptions, user);
    const names = body.passkey.allowCredentials.map(({ id }: { id: string }) => id);
    expect(names).toEqual([authenticator.credentials[0]?.id.toString("base64url")]);
    expect(body.passkey.userVerification).toBe("required");
    expect((await send(getSecondFactorOptions, await aUser())).body).toEqual({ totp: false, passkey: null });
  });

  it("is taken without the user handle that authenticators leave out where credentials are named", async () => {
    const { user } = await signedInEarlier();
    const { authenticator } = await aPasskey(user);
    const input = await passkeyAnswer(user, authenticator, { userHandle: null });
    expect((await send(confirmSecondFactor, user, input)).status).toBe(200);
  });

  it("confirms nothing for another user, in another session, twice, without verification, or for a sign-in", async () => {
    const { user } = await signedInEarlier();
    const other = await signedInEarlier();
    const [mine, theirs] = [await aPasskey(user, { counts: false }), await aPasskey(other.user)];
    const before = await confirmedAt(user);
    const refused = [401, "invalid_passkey"];

    const elsewhere = await aUser();
    await db.session.update({
      where: { id: elsewhere.sessionId },
      data: { userId: user.userId, secondFactorAt: new Date() },
    });
    const ofElsewhere = await passkeyAnswer(elsewhere, mine.authenticator);
    await db.session.delete({ where: { id: elsewhere.sessionId } });
    for (const input of [
      ofElsewhere,
      await passkeyAnswer(user, theirs.authenticator),
      await passkeyAnswer(user, mine.authenticator, { userVerified: false }),
      await passkeyAnswer(user, mine.authenticator, { origin: "https://evil.example" }),
    ]) {
      expect(refusalOf(await send(confirmSecondFactor, user, input))).toEqual(refused);
    }
    expect(await confirmedAt(user)).toEqual(before);

    const challenge = (await send(getSecondFactorOptions, user)).body.passkey.challenge;
    expect(refusalOf(await signInWithPasskey(mine.authenticator, { challenge }))).toEqual(refused);

    const input = await passkeyAnswer(user, mine.authenticator);
    expect((await send(confirmSecondFactor, user, input)).status).toBe(200);
    expect(refusalOf(await send(confirmSecondFactor, user, input))).toEqual(refused);
  });
});

describe("a recovery code", () => {
  it("is no way to confirm the second factor", async () => {
    const { user } = await signedInEarlier();
    const [recoveryCode] = newRecoveryCodes();
    await replaceRecoveryCodes(db, user.userId, [hashRecoveryCode(recoveryCode as string)]);
    const { status } = await send(confirmSecondFactor, user, { recoveryCode } as never);
    expect(status).toBe(422);
  });

  it("signs in without confirming it, while a code of the app does both", async () => {
    const [byCode, byRecovery] = [await aUser(), await aUser()];
    const [secret] = [await withTwoFactor(byCode), await withTwoFactor(byRecovery)];
    const [recoveryCode] = newRecoveryCodes();
    await replaceRecoveryCodes(db, byRecovery.userId, [hashRecoveryCode(recoveryCode as string)]);
    expect((await send(validateTwoFactor, byCode, { code: codeOf(secret) })).status).toBe(200);
    expect((await send(validateTwoFactor, byRecovery, { recoveryCode: recoveryCode as string })).status).toBe(200);
    expect(await confirmedAt(byCode)).not.toBeNull();
    expect(await confirmedAt(byRecovery)).toBeNull();
    expect((await sessionsOf(byRecovery))[0]?.secondFactorAt).not.toBeNull();
  });
});
