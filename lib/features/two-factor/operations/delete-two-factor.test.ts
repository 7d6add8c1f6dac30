import { describe, expect, it } from "vitest";
import { hashRecoveryCode, newRecoveryCodes } from "@/lib/auth/recovery-codes";
import { passSecondFactor } from "@/lib/auth/sessions";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { countPasskeysLocked, createPasskey } from "@/lib/features/passkeys/data";
import { newId } from "@/lib/kernel/ids";
import { changedFields } from "@/lib/testing/audit";
import { aUser, requestedMails, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { aPasskey } from "@/lib/testing/passkeys";
import { codeOf, withTwoFactor, wrongCode } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { removeFactors, replaceRecoveryCodes } from "../data";
import { createRecoveryCodes } from "./create-recovery-codes";
import { deleteTwoFactor } from "./delete-two-factor";
import { resetUserTwoFactor } from "./reset-user-two-factor";

setUpTestDatabase();

async function someone(): Promise<{ user: TestUser; secret: string; recoveryCodes: string[] }> {
  const user = await aUser();
  const secret = await withTwoFactor(user, { passed: true });
  const recoveryCodes = newRecoveryCodes();
  await replaceRecoveryCodes(db, user.userId, recoveryCodes.map(hashRecoveryCode));
  return { user, secret, recoveryCodes };
}

/** What is kept of someone's second factor, and their sessions. */
async function kept({ userId }: TestUser): Promise<{ secrets: number; codes: number; sessions: number }> {
  return {
    secrets: await db.twoFactor.count({ where: { userId } }),
    codes: await db.recoveryCode.count({ where: { userId } }),
    sessions: await db.session.count({ where: { userId } }),
  };
}

describe("turning it off", () => {
  it("accepts a code, removes the secret and the recovery codes, and ends every session of the user", async () => {
    const { user, secret } = await someone();
    const answer = await send(deleteTwoFactor, user, { code: codeOf(secret) });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await kept(user)).toEqual({ secrets: 0, codes: 0, sessions: 0 });
    expect((await send(getUserProfile, user)).body.code).toBe("session_expired");
    expect(await requestedMails(user.userId)).toEqual([
      { purpose: "two-factor-disabled", userId: user.userId, locale: "en", at: expect.any(String), ip: null },
    ]);
  });

  it("accepts a recovery code as well, for users who have lost the phone", async () => {
    const { user, recoveryCodes } = await someone();
    expect((await send(deleteTwoFactor, user, { recoveryCode: recoveryCodes[3] })).status).toBe(204);
    expect(await kept(user)).toEqual({ secrets: 0, codes: 0, sessions: 0 });
  });

  it("is refused with a wrong code, and everything stays", async () => {
    const { user, secret } = await someone();
    const answer = await send(deleteTwoFactor, user, { code: wrongCode(secret) });
    expect([answer.status, answer.body.code]).toEqual([401, "invalid_otp"]);
    expect(await kept(user)).toEqual({ secrets: 1, codes: 10, sessions: 1 });
    expect(await requestedMails(user.userId)).toEqual([]);
  });

  it("is refused where it is off", async () => {
    const answer = await send(deleteTwoFactor, await aUser(), { code: "123456" });
    expect([answer.status, answer.body.code]).toEqual([409, "two_factor_disabled"]);
  });

  it("wants a session that has passed the second factor itself", async () => {
    const user = await aUser();
    const secret = await withTwoFactor(user);
    const answer = await send(deleteTwoFactor, user, { code: codeOf(secret) });
    expect([answer.status, answer.body.code]).toEqual([403, "two_factor_required"]);
    expect((await kept(user)).secrets).toBe(1);
  });
});

describe("new recovery codes", () => {
  it("take a code, and the earlier ones open nothing any more", async () => {
    const { user, secret, recoveryCodes } = await someone();
    const answer = await send(createRecoveryCodes, user, { code: codeOf(secret) });
    expect(answer.status).toBe(201);
    expect(answer.body.recoveryCodes).toHaveLength(10);
    expect(await requestedMails(user.userId)).toMatchObject([{ purpose: "recovery-codes-replaced" }]);
    expect(recoveryCodes.filter((code) => answer.body.recoveryCodes.includes(code))).toEqual([]);
    const old = await send(deleteTwoFactor, user, { recoveryCode: recoveryCodes[0] });
    expect([old.status, old.body.code]).toEqual([401, "invalid_otp"]);
    const used = await send(deleteTwoFactor, user, { recoveryCode: answer.body.recoveryCodes[9] });
    expect(used.status).toBe(204);
  });

  it("are refused with a code that has been used", async () => {
    const { user, secret } = await someone();
    const code = codeOf(secret);
    const answers = await Promise.all([1, 2].map(() => send(createRecoveryCodes, user, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect((await kept(user)).codes).toBe(10);
  });
});

describe("an administrator's reset", () => {
  it("turns it off for someone else, ends their sessions, and is in the audit log under the administrator", async () => {
    const admin = await aUser({ admin: true });
    const { user } = await someone();
    const headers = { "x-slipway-remote-address": "192.0.2.10", "accept-language": "de" };
    const { status } = await send(resetUserTwoFactor, admin, { id: user.userId }, { headers });
    expect(status).toBe(204);
    expect(await kept(user)).toEqual({ secrets: 0, codes: 0, sessions: 0 });
    const record = await db.auditRecord.findFirstOrThrow({ where: { action: "reset", recordId: user.userId } });
    expect([record.table, record.userId, record.ip]).toEqual(["TwoFactor", admin.userId, "192.0.2.10"]);
    // The mail does not tell where the administrator was.
    expect(await requestedMails(user.userId)).toEqual([
      { purpose: "two-factor-reset", userId: user.userId, locale: "de", at: expect.any(String), ip: null },
    ]);
  });

  it("and a recovery code that is used at the same time do not wait for each other", async () => {
    const { user, recoveryCodes } = await someone();
    const { turningOff } = await db.$transaction(async (tx) => {
      // What the reset does first.
      await tx.twoFactor.updateMany({ where: { userId: user.userId }, data: { lastUsedStep: 1n } });
      const turningOff = send(deleteTwoFactor, user, { recoveryCode: recoveryCodes[0] });
      await untilWaitingForLocks(1);
      await removeFactors(tx, user.userId);
      return { turningOff };
    }, LONG_TRANSACTION);
    expect((await turningOff).body.code).toBe("invalid_otp");
    expect(await kept(user)).toMatchObject({ secrets: 0, codes: 0 });
  });

  it("is refused for oneself: a stolen session would do without a code", async () => {
    const admin = await aUser({ admin: true });
    await withTwoFactor(admin, { passed: true });
    const answer = await send(resetUserTwoFactor, admin, { id: admin.userId });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "id"]);
    expect((await kept(admin)).secrets).toBe(1);
  });

  it("deletes the passkeys of a user who has lost them, who then adds a new one", async () => {
    const [user, admin] = [await aUser(), await aUser({ admin: true })];
    await aPasskey(user);
    expect((await send(resetUserTwoFactor, admin, { id: user.userId })).status).toBe(204);
    expect(await db.passkey.count({ where: { userId: user.userId } })).toBe(0);
    expect(await kept(user)).toEqual({ secrets: 0, codes: 0, sessions: 0 });
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "TwoFactor", action: "reset", changes: { passkeys: [1, 0] } });
  });

  it("also deletes a passkey and an app that are being added at the same time", async () => {
    const [user, admin] = [await aUser(), await aUser({ admin: true })];
    await aPasskey(user);
    await withTwoFactor(user);
    await db.twoFactor.update({ where: { userId: user.userId }, data: { enabledAt: null } });
    const { answer } = await db.$transaction(async (tx) => {
      // As the operations that add them do.
      await tx.twoFactor.update({ where: { userId: user.userId }, data: { enabledAt: new Date() } });
      await countPasskeysLocked(tx, user.userId);
      const known = await tx.passkey.findFirstOrThrow({ where: { userId: user.userId } });
      const credentialId = Buffer.concat([known.credentialId, Buffer.from("2")]);
      await createPasskey(tx, { ...known, id: newId(), credentialId, publicKey: Uint8Array.from(known.publicKey) });
      const answer = send(resetUserTwoFactor, admin, { id: user.userId });
      await untilWaitingForLocks(1);
      return { answer };
    }, LONG_TRANSACTION);
    expect((await answer).status).toBe(204);
    expect(await db.passkey.count({ where: { userId: user.userId } })).toBe(0);
    expect(await kept(user)).toEqual({ secrets: 0, codes: 0, sessions: 0 });
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(changedFields(record)).toEqual({ enabled: [true, false], passkeys: [2, 0] });
  });

  it("lets a proof that is under way at the same time go first, instead of a deadlock", async () => {
    const admin = await aUser({ admin: true });
    const { user } = await someone();
    const { answer } = await db.$transaction(async (tx) => {
      await tx.twoFactor.update({ where: { userId: user.userId }, data: { lastUsedStep: 1n } });
      const answer = send(resetUserTwoFactor, admin, { id: user.userId });
      await untilWaitingForLocks(1);
      await passSecondFactor(tx, user.sessionId, new Date());
      return { answer };
    }, LONG_TRANSACTION);
    expect((await answer).status).toBe(204);
    expect(await kept(user)).toEqual({ secrets: 0, codes: 0, sessions: 0 });
  });

  it("says where there is nothing to reset, and who does not exist", async () => {
    const admin = await aUser({ admin: true });
    const { userId: id } = await aUser();
    const off = await send(resetUserTwoFactor, admin, { id });
    expect([off.status, off.body.code]).toEqual([409, "two_factor_disabled"]);
    const nobody = await send(resetUserTwoFactor, admin, { id: "019a0000-0000-7000-8000-00000000dead" });
    expect([nobody.status, nobody.body.code]).toEqual([404, "not_found"]);
  });
});
