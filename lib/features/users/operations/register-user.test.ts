import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { findPasswordLink } from "@/lib/auth/password-links";
import { databasePool, db } from "@/lib/db/client";
import { aUser, auditCount, requestedMails, send, type TestUser } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { registerUser } from "./register-user";

setUpTestDatabase();

let admin: TestUser;
let roleId: string;
beforeAll(async () => {
  admin = await aUser({ admin: true });
  roleId = (await db.role.create({ data: { id: randomUUID(), name: "Testers" } })).id;
});

/** A valid input with changes. */
const input = (changes: Record<string, unknown> = {}) => ({
  firstNames: "Ada",
  lastNames: "Lovelace",
  email: `${randomUUID()}@example.test`,
  roleId,
  provider: "email",
  status: "active",
  ...changes,
});

/** Sends the command and proves that it changed nothing. */
async function refused(changes: Record<string, unknown>, caller = admin) {
  const before = [await auditCount(), await db.user.count()];
  const answer = await send(registerUser, caller, input(changes));
  expect([await auditCount(), await db.user.count()]).toEqual(before);
  return answer;
}

describe("register-user", () => {
  it("returns the user as every operation does, with one audit record", async () => {
    const given = input({ firstNames: " Ada ", team: " Engines " });
    const before = await auditCount();
    const { status, body } = await send(registerUser, admin, given);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      firstNames: "Ada",
      lastNames: "Lovelace",
      email: given.email,
      team: "Engines",
      role: { id: roleId, name: "Testers" },
      provider: "email",
      status: "active",
      avatarUrl: null,
      twoFactorEnabled: false,
      invited: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      lastSignInAt: null,
      invitationLink: expect.stringContaining("/reset-password?token="),
    });
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "User", action: "create", recordId: body.id, userId: admin.userId });
    expect(record.changes).toMatchObject({ email: [null, given.email], roleId: [null, roleId] });
  });

  it("invites users who sign in by e-mail, but not users of a provider or inactive ones", async () => {
    const idOf = async (changes: Record<string, unknown>) =>
      (await send(registerUser, admin, input(changes))).body.id as string;
    const invited = await idOf({});
    expect(await requestedMails(invited)).toEqual([{ purpose: "invitation", userId: invited, locale: "en" }]);
    expect(await requestedMails(await idOf({ provider: "github" }))).toEqual([]);
    expect(await requestedMails(await idOf({ status: "inactive" }))).toEqual([]);
  });

  it("returns the link of an invitation to pass on", async () => {
    const linkOf = async (changes: Record<string, unknown> = {}) =>
      (await send(registerUser, admin, input(changes))).body.invitationLink as string | null;
    const token = new URL((await linkOf()) ?? "").searchParams.get("token") ?? "";
    expect(await findPasswordLink(db, token, new Date())).toMatchObject({ purpose: "invitation" });
    expect(await linkOf({ provider: "github" })).toBeNull();
    expect(await linkOf({ status: "inactive" })).toBeNull();
  });

  it("sends no mail if the user is not stored", async () => {
    const { rows: before } = await databasePool().query(`SELECT count(*) FROM pgboss.job WHERE "name" = 'mail'`);
    await refused({ email: admin.email });
    const { rows: after } = await databasePool().query(`SELECT count(*) FROM pgboss.job WHERE "name" = 'mail'`);
    expect(after).toEqual(before);
  });

  it.each(["apple", "azure", "github", "gitlab", "google"])("registers a user of %s", async (provider) => {
    expect((await send(registerUser, admin, input({ provider }))).body).toMatchObject({ provider, invited: false });
  });

  it("refuses an e-mail that exists, ignoring case, and names the field", async () => {
    const email = `Ada.${randomUUID()}@Example.test`;
    expect((await send(registerUser, admin, input({ email }))).status).toBe(201);
    for (const again of [email, email.toLowerCase(), email.toUpperCase(), ` ${email} `]) {
      const answer = await refused({ email: again });
      expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([409, "conflict", "email"]);
    }
  });

  it("creates one user if two registrations with the same e-mail arrive at the same moment", async () => {
    const email = `${randomUUID()}@example.test`;
    const answers = await Promise.all(
      [email, email.toUpperCase()].map((each) => send(registerUser, admin, input({ email: each }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it.each([
    ["firstNames", { firstNames: " " }],
    ["lastNames", { lastNames: undefined }],
    ["email", { email: "ada" }],
    ["email", { email: undefined }],
    ["roleId", { roleId: undefined }],
    ["roleId", { roleId: "019a0000-0000-7000-8000-00000000dead" }],
    ["provider", { provider: undefined }],
    ["provider", { provider: "facebook" }],
    ["status", { status: "deleted" }],
    ["team", { team: "x".repeat(101) }],
    ["passwordHash", { passwordHash: "mine" }],
  ])("reports that %s is invalid", async (path, changes) => {
    const answer = await refused(changes);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
  });

  it("is only for administrators, even if the given role has no more rights than the caller", async () => {
    const writer = await aUser({ grants: [{ scopes: ["environment:write", "release:delete"] }] });
    for (const given of [roleId, writer.roleId, admin.roleId]) {
      expect((await refused({ roleId: given }, writer)).status).toBe(403);
    }
  });
});
