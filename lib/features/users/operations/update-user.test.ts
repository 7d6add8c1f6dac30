import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { lockSignInMethods } from "@/lib/features/auth-providers/data";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { changedFields } from "@/lib/testing/audit";
import { aProviderConfig, noProviderConfig } from "@/lib/testing/auth-providers";
import { type Answer, anApp, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { updateUser } from "./update-user";

setUpTestDatabase();

let admin: TestUser;
let roleId: string;
beforeAll(async () => {
  roleId = (await db.role.create({ data: { id: randomUUID(), name: "Testers" } })).id;
});

beforeEach(async () => {
  // The administrators of the previous test lose the role.
  await db.user.updateMany({ data: { roleId } });
  admin = await aUser({ admin: true });
});

/** Sends the command and proves that it changed nothing. */
async function refused(input: Record<string, unknown>, caller = admin) {
  const state = () => Promise.all([auditCount(), db.user.findMany({ orderBy: { id: "asc" } }), db.session.count()]);
  const before = await state();
  const answer = await send(updateUser, caller, input);
  expect(await state()).toEqual(before);
  return answer;
}

const alive = async (user: TestUser) => (await send(getUserProfile, user)).status === 200;

/** Holds two calls until both are authorized and wait for the lock on the administrators, then releases them. */
async function bothAtOnce(...calls: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const held = await db.$transaction(async (tx) => {
    await lockSignInMethods(tx);
    const answers = calls.map((call) => call());
    await untilWaitingForLocks(calls.length);
    return { answers };
  }, LONG_TRANSACTION);
  return Promise.all(held.answers);
}

describe("update-user", () => {
  it("changes the given fields and keeps the others, with one audit record of the changes", async () => {
    const user = await aUser();
    const before = await auditCount();
    const { status, body } = await send(updateUser, admin, { id: user.userId, lastNames: "King", team: "Engines" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: user.userId, firstNames: "Ada", lastNames: "King", team: "Engines" });
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "User", action: "update", recordId: user.userId });
    expect(changedFields(record)).toEqual({ lastNames: ["Lovelace", "King"], team: [null, "Engines"] });
    expect(await alive(user)).toBe(true);
  });

  it("removes the team with null or an empty string", async () => {
    const user = await aUser();
    for (const team of [null, " "]) {
      await send(updateUser, admin, { id: user.userId, team: "Engines" });
      expect((await send(updateUser, admin, { id: user.userId, team })).body.team).toBeNull();
    }
  });

  it("ends every session of a deactivated user, and does not restore them on activation", async () => {
    const user = await aUser();
    await send(updateUser, admin, { id: user.userId, status: "inactive" });
    expect(await db.session.count({ where: { userId: user.userId } })).toBe(0);
    expect(await alive(user)).toBe(false);
    await send(updateUser, admin, { id: user.userId, status: "active" });
    expect(await alive(user)).toBe(false);
    expect(await alive(admin)).toBe(true);
  });

  it("ends the sessions of a user whose role changes", async () => {
    const { environmentIds } = await anApp();
    const user = await aUser({ grants: [{ scopes: ["environment:read"] }] });
    const look = () => send(getEnvironmentApp, user, { id: environmentIds[0] });
    expect((await look()).status).toBe(200);
    await send(updateUser, admin, { id: user.userId, roleId: user.roleId, status: "active", team: "Engines" });
    expect((await look()).status).toBe(200);
    await send(updateUser, admin, { id: user.userId, roleId });
    const answer = await look();
    expect([answer.status, answer.body.code]).toEqual([401, "session_expired"]);
  });

  it("makes a user an administrator and reverts it", async () => {
    const user = await aUser();
    const promoted = await send(updateUser, admin, { id: user.userId, roleId: admin.roleId });
    expect(promoted.body.role.name).toBe("SUPER_ADMIN");
    expect((await send(updateUser, admin, { id: user.userId, roleId })).body.role.name).toBe("Testers");
  });

  it("clears the cookie of administrators who give up their role", async () => {
    await aUser({ admin: true });
    const answer = await send(updateUser, admin, { id: admin.userId, roleId });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
  });

  it.each([
    ["demoted", () => ({ roleId })],
    ["switched off", () => ({ status: "inactive" })],
  ])("does not let the last active SUPER_ADMIN be %s", async (_, change) => {
    // There is another one, but inactive.
    await aUser({ admin: true, status: "inactive" });
    const answer = await refused({ id: admin.userId, ...change() });
    expect([answer.status, answer.body.code]).toEqual([409, "last_admin"]);
    expect(await alive(admin)).toBe(true);
    expect((await send(updateUser, admin, { id: admin.userId, lastNames: "King" })).status).toBe(200);
  });

  it("keeps the last administrator with a way to sign in", async () => {
    const other = await aUser({ admin: true });
    await db.user.update({ where: { id: other.userId }, data: { provider: "google" } });
    for (const change of [{ roleId }, { status: "inactive" }]) {
      const answer = await refused({ id: admin.userId, ...change });
      expect([answer.status, answer.body.code]).toEqual([409, "last_admin"]);
      expect(answer.body.detail).toContain("provider");
    }
    await aProviderConfig("google", {}, { enabled: true });
    expect((await send(updateUser, admin, { id: admin.userId, roleId })).status).toBe(200);
    await noProviderConfig("google");
  });

  it("lets an inactive SUPER_ADMIN be demoted", async () => {
    const idle = await aUser({ admin: true, status: "inactive" });
    expect((await send(updateUser, admin, { id: idle.userId, roleId })).status).toBe(200);
  });

  it("keeps one of the last two administrators if two calls remove one each at the same moment", async () => {
    for (let turn = 0; turn < 2; turn++) {
      await db.user.updateMany({ data: { roleId } });
      const [one, other] = [await aUser({ admin: true }), await aUser({ admin: true })];
      const change = turn % 2 ? { roleId } : { status: "inactive" };
      const answers = await bothAtOnce(
        () => send(updateUser, one, { id: other.userId, ...change }),
        () => send(updateUser, other, { id: one.userId, ...change }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await db.user.count({ where: { status: "active", role: { name: "SUPER_ADMIN" } } })).toBe(1);
    }
  });

  it("keeps one of several administrators if as many calls remove one each, including themselves", async () => {
    const admins = [admin, ...(await Promise.all([1, 2, 3].map(() => aUser({ admin: true }))))];
    const answers = await Promise.all(admins.map(({ userId }) => send(updateUser, admin, { id: userId, roleId })));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(admins.length);
    expect(await db.user.count({ where: { status: "active", role: { name: "SUPER_ADMIN" } } })).toBeGreaterThan(0);
  });

  it.each([
    ["firstNames", { firstNames: "" }],
    ["roleId", { roleId: "019a0000-0000-7000-8000-00000000dead" }],
    ["status", { status: "deleted" }],
    ["email", { email: "other@example.test" }],
    ["provider", { provider: "github" }],
  ])("reports that %s is invalid or cannot be changed", async (path, change) => {
    const user = await aUser();
    const answer = await refused({ id: user.userId, ...change });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
  });

  it("answers 404 for an unknown user", async () => {
    expect((await refused({ id: "019a0000-0000-7000-8000-00000000dead", team: "x" })).status).toBe(404);
  });

  it("does not let users without the role raise anyone's rights", async () => {
    const writer = await aUser({ grants: [{ scopes: ["environment:write"] }] });
    for (const id of [writer.userId, admin.userId]) {
      expect((await refused({ id, roleId: admin.roleId }, writer)).status).toBe(403);
    }
  });
});
