import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newPasswordLink } from "@/lib/auth/password-links";
import { hashPassword, verifyPassword } from "@/lib/auth/passwords";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { aSession, aUser, auditCount, cookieHeaders, requestedMails, send, type TestUser } from "@/lib/testing/console";
import { sealedPassword } from "@/lib/testing/password";
import { setUpTestDatabase } from "@/scripts/test-database";
import { changePassword } from "./change-password";
import { getPasswordLink } from "./get-password-link";

setUpTestDatabase();

const OLD = "correct horse battery";
const NEW = "a lantern on the quay";

let hash: string;
let user: TestUser;
let nextAddress = 0;
beforeAll(async () => {
  await ensureServerKeys();
  hash = await hashPassword(OLD);
});
beforeEach(async () => {
  user = await aUser({ passwordHash: hash });
  // A network of its own, which no limit has counted yet.
  nextAddress += 1;
  user.headers = { ...user.headers, "x-slipway-remote-address": `2001:db8:1:${nextAddress.toString(16)}::1` };
});

const change = async (current = OLD, password = NEW, caller = user) =>
  send(changePassword, caller, {
    currentPassword: await sealedPassword(current),
    password: await sealedPassword(password),
  });
const storedHash = async () => (await db.user.findUniqueOrThrow({ where: { id: user.userId } })).passwordHash;

describe("change-password", () => {
  it("stores the new password, keeps this session, and ends the others and every link", async () => {
    const other = await aSession(user.userId);
    const link = await newPasswordLink(db, { purpose: "recovery", userId: user.userId, now: new Date() });
    const before = await auditCount();
    expect((await change()).status).toBe(204);
    expect(await verifyPassword(await storedHash(), NEW)).toBe(true);
    expect((await send(getUserProfile, user)).status).toBe(200);
    expect((await send(getUserProfile, { headers: cookieHeaders(other.token) })).status).toBe(401);
    const token = new URL(link).searchParams.get("token") as string;
    expect((await send(getPasswordLink, { headers: {} }, { token })).body.purpose).toBeNull();
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "User", action: "change-password", recordId: user.userId });
    expect(JSON.stringify(record.changes)).not.toContain("argon2");
    expect(await requestedMails(user.userId)).toEqual([expect.objectContaining({ purpose: "password-changed" })]);
  });

  it("refuses a wrong current password at its field, and records the attempt", async () => {
    const { status, body } = await change("wrong horse battery");
    expect([status, body.errors[0].path]).toEqual([422, "currentPassword"]);
    expect(await storedHash()).toBe(hash);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ action: "change-password-failed", recordId: user.userId });
  });

  it("counts wrong ones as failed sign-ins: after ten, even the right one has to wait", async () => {
    for (let attempt = 0; attempt < 10; attempt++) expect((await change("wrong horse battery")).status).toBe(422);
    const { status, headers } = await change();
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await storedHash()).toBe(hash);
  });

  it.each(["short", "password1234", "ada.lovelace99"])("refuses %j as the new password", async (password) => {
    const { status, body } = await change(OLD, password);
    expect([status, body.errors[0].path]).toEqual([422, "password"]);
    expect(await storedHash()).toBe(hash);
  });

  it("lets one of two simultaneous changes win", async () => {
    const answers = await Promise.all([change(OLD, NEW), change(OLD, "another lantern here")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422]);
  });

  it("refuses a user without a password, who signs in with a provider", async () => {
    await db.user.update({ where: { id: user.userId }, data: { provider: "github", passwordHash: null } });
    const { status, body } = await change();
    expect([status, body.code]).toEqual([409, "conflict"]);
  });

  it("refuses an envelope that was used before", async () => {
    const input = { currentPassword: await sealedPassword(OLD), password: await sealedPassword(NEW) };
    expect((await send(changePassword, user, input)).status).toBe(204);
    const again = await send(changePassword, user, input);
    expect([again.status, again.body.code]).toEqual([400, "invalid_nonce"]);
  });
});
