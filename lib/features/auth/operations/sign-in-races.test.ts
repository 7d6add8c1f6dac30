import { hash, verify } from "@node-rs/argon2";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { newPasswordLink, redeemPasswordLink } from "@/lib/auth/password-links";
import { hashPassword, verifyPassword } from "@/lib/auth/passwords";
import { setProviderEnabled } from "@/lib/auth/providers";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { endSessions } from "@/lib/auth/sessions";
import { newSetupLink } from "@/lib/auth/setup";
import { type Db, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { ANONYMOUS, type Answer, aUser, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { afterFirstQuery, beforeHandler } from "@/lib/testing/overtake";
import { sealedPassword } from "@/lib/testing/password";
import { setUpTestDatabase } from "@/scripts/test-database";
import { emailLogin } from "./email-login";
import { setupFirstAdmin } from "./setup-first-admin";

// What happens to a sign-in whose credential changes after it was verified and before the session begins.

// Calls the package, and records the calls.
vi.mock(import("@node-rs/argon2"), { spy: true });

setUpTestDatabase();

const OLD = "correct horse battery";
let oldHash: string;
let newHash: string;
let counter = 0;

beforeAll(async () => {
  await ensureServerKeys();
  [oldHash, newHash] = await Promise.all([hashPassword(OLD), hashPassword("a lantern on the quay")]);
});

/** Signs in from an address of its own, which no limit has counted yet. */
async function signIn(user: TestUser, password = OLD): Promise<Answer> {
  counter += 1;
  const caller = { headers: { "x-slipway-remote-address": `198.51.${100 + (counter >> 8)}.${counter & 255}` } };
  return send(emailLogin, caller, { email: user.email, password: await sealedPassword(password) });
}

/** Sets a new password by a link and ends every session, as update-password does. */
async function resetPassword(tx: Db, { userId }: TestUser): Promise<void> {
  const link = await newPasswordLink(db, { purpose: "recovery", userId, now: new Date() });
  const token = new URL(link).searchParams.get("token") as string;
  await redeemPasswordLink(tx, { token, userId, passwordHash: newHash, now: new Date() });
  await endSessions(tx, userId);
}

/** Signs in while a transaction that changes the user's row is open, and lets it commit once the sign-in waits for it. */
async function signInDuring(user: TestUser, change: (tx: Db) => Promise<unknown>): Promise<Answer> {
  const { answer } = await db.$transaction(async (tx) => {
    await change(tx);
    const answer = signIn(user);
    answer.catch(() => {});
    await untilWaitingForLocks(1);
    return { answer };
  }, LONG_TRANSACTION);
  return answer;
}

const passwordHashOf = async ({ userId }: TestUser) =>
  (await db.user.findUniqueOrThrow({ where: { id: userId } })).passwordHash;

it("a sign-in verifies the password while its nonce is redeemed, and is not answered before the nonce is", async () => {
  const user = await aUser({ passwordHash: oldHash });
  const sessions = () => db.session.count({ where: { userId: user.userId } });
  const before = await sessions();
  vi.mocked(verify).mockClear();
  const { answer } = await db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE "OneTimeToken" IN EXCLUSIVE MODE`;
    const answer = signIn(user);
    answer.catch(() => {});
    await expect.poll(() => verify).toHaveBeenCalledOnce();
    expect(await vi.mocked(verify).mock.results[0]?.value).toBe(true);
    await untilWaitingForLocks(1);
    expect(await sessions()).toBe(before);
    return { answer };
  }, LONG_TRANSACTION);
  expect((await answer).status).toBe(200);
  expect(await sessions()).toBe(before + 1);
});

describe("a sign-in with a password that is reset once it is verified", () => {
  it("is refused like a wrong password, and recorded like one", async () => {
    const user = await aUser({ passwordHash: oldHash });
    const answer = await signInDuring(user, (tx) => resetPassword(tx, user));
    const wrong = await signIn(user, "wrong horse battery");
    const { requestId: _, ...body } = answer.body;
    expect([answer.status, body]).toEqual([401, expect.objectContaining({ code: "invalid_credentials" })]);
    expect(wrong.body).toMatchObject(body);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await db.session.count({ where: { userId: user.userId } })).toBe(0);
    const records = await db.auditRecord.findMany({ where: { recordId: user.userId, action: "sign-in-failed" } });
    expect(records).toHaveLength(2);
  });

  it("leaves the new password where the old one's hash was to be made with better parameters", async () => {
    const weak = await hash(OLD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const user = await aUser({ passwordHash: weak });
    expect((await signInDuring(user, (tx) => resetPassword(tx, user))).status).toBe(401);
    expect(await passwordHashOf(user)).toBe(newHash);
  });

  it("replaces the hash that was verified, and no other", async () => {
    const weak = await hash(OLD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const user = await aUser({ passwordHash: weak });
    expect((await signIn(user)).status).toBe(200);
    const better = await passwordHashOf(user);
    expect(better).not.toBe(weak);
    expect(await verifyPassword(better, OLD)).toBe(true);
  });

  it("leaves no session, in 50 rounds of both at the same moment", { timeout: 120_000 }, async () => {
    // Hashing takes longer than the reset: with it, the reset would always be first.
    vi.mocked(verify).mockImplementation(async (hashed) => hashed === oldHash);
    onTestFinished(() => void vi.mocked(verify).mockReset());
    for (let round = 0; round < 50; round += 5) {
      const users = await Promise.all(Array.from({ length: 5 }, () => aUser({ passwordHash: oldHash })));
      const answers = await Promise.all(
        users.map(
          async (user) =>
            (await Promise.all([signIn(user), db.$transaction((tx) => resetPassword(tx, user), LONG_TRANSACTION)]))[0],
        ),
      );
      for (const { status } of answers) expect([200, 401]).toContain(status);
      const userId = { in: users.map((user) => user.userId) };
      expect(await db.session.count({ where: { userId } })).toBe(0);
      expect(await db.user.count({ where: { id: userId, passwordHash: newHash } })).toBe(5);
    }
  });
});

describe("a sign-in of a user", () => {
  it("who is switched off once the password is verified is refused", async () => {
    const user = await aUser({ passwordHash: oldHash });
    const answer = await signInDuring(user, async (tx) => {
      await tx.user.update({ where: { id: user.userId }, data: { status: "inactive" } });
      await endSessions(tx, user.userId);
    });
    expect([answer.status, answer.body.code]).toEqual([401, "invalid_credentials"]);
    expect(await db.session.count({ where: { userId: user.userId } })).toBe(0);
  });

  it("who is given another role once the password is verified begins a session with that role", async () => {
    const user = await aUser({ passwordHash: oldHash });
    const role = await db.role.create({ data: { id: newId(), name: `role ${newId()}` } });
    const answer = await signInDuring(user, (tx) =>
      tx.user.update({ where: { id: user.userId }, data: { roleId: role.id } }),
    );
    expect([answer.status, answer.body.user?.role]).toEqual([200, { id: role.id, name: role.name }]);
  });

  it("is refused where sign-ins by e-mail are switched off once the password is verified", async () => {
    const user = await aUser({ passwordHash: oldHash });
    beforeHandler(emailLogin, () => setProviderEnabled(db, "email", false));
    const answer = await signIn(user);
    await setProviderEnabled(db, "email", true);
    expect([answer.status, answer.body.code]).toEqual([401, "invalid_credentials"]);
  });
});

describe("the setup link", () => {
  it("is one, even if several instances print it at the same time", async () => {
    const { second } = await db.$transaction(async (tx) => {
      await newSetupLink(tx, new Date());
      const second = db.$transaction((other) => newSetupLink(other, new Date()), LONG_TRANSACTION);
      await untilWaitingForLocks(1);
      return { second };
    }, LONG_TRANSACTION);
    await second;
    expect(await db.oneTimeToken.count({ where: { purpose: "setup" } })).toBe(1);
  });

  it("reports that an administrator exists to a caller who comes just after another has used it", async () => {
    await db.user.deleteMany();
    const link = await db.$transaction((tx) => newSetupLink(tx, new Date()));
    const token = new URL(link).searchParams.get("token") as string;
    const admin = { token, firstNames: "Grace", lastNames: "Hopper", password: "a long enough password" };
    const late = setupFirstAdmin.prepare?.({
      input: { ...admin, email: "second@example.test" },
      request: { now: new Date() },
      db: afterFirstQuery(() => send(setupFirstAdmin, ANONYMOUS, { ...admin, email: "first@example.test" })),
    } as never);
    await expect(late).rejects.toMatchObject({ code: "already_set_up" });
    expect(await db.user.count()).toBe(1);
  });
});
