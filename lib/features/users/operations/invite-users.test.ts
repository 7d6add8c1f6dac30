import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { anApp, aRole, aUser, auditCount, requestedMails, send, type TestUser } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { inviteUsers } from "./invite-users";

setUpTestDatabase();

let admin: TestUser;
let roleId: string;
let app: { appId: string; environmentIds: string[] };
const anEmail = (local: string = randomUUID()) => `${local}@example.test`;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  roleId = await aRole();
});

beforeEach(async () => {
  app = await anApp();
});

const invite = (input: Record<string, unknown>, caller = admin) => send(inviteUsers, caller, input);

/** Everything that an invitation writes. */
const counts = async () => [
  await db.user.count(),
  await db.role.count(),
  await db.rolePermission.count(),
  await db.oneTimeToken.count(),
  await auditCount(),
];

async function refused(input: Record<string, unknown>) {
  const before = await counts();
  const answer = await invite(input);
  expect(await counts()).toEqual(before);
  return answer;
}

describe("invite-users", () => {
  it("adds each person with a link of their own, one mail and one audit record in all", async () => {
    const emails = [anEmail(`ada.lovelace+${randomUUID()}`), anEmail()];
    const before = await auditCount();
    const { status, body } = await invite({ emails, roleId });
    expect(status).toBe(201);
    expect(body.role).toEqual({ id: roleId, name: expect.any(String), created: false });
    expect(body.users.map(({ email }: { email: string }) => email)).toEqual(emails);
    expect(body.users[0]).toMatchObject({
      firstNames: "Ada",
      lastNames: "Lovelace",
      provider: "email",
      status: "active",
      invited: true,
      role: { id: roleId },
    });
    const links = body.users.map(({ invitationLink }: { invitationLink: string }) => invitationLink);
    expect(new Set(links).size).toBe(2);
    for (const { id } of body.users) expect(await requestedMails(id)).toHaveLength(1);
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "User", action: "invite", userId: admin.userId });
    expect(record.changes).toMatchObject({ emails: [null, emails] });
    for (const link of links)
      expect(JSON.stringify(record.changes)).not.toContain(new URL(link).searchParams.get("token"));
  });

  it("adds a role with exactly the preset's access, and uses it for the next people", async () => {
    const access = { preset: "tester", apps: [{ appId: app.appId }] };
    const first = await invite({ emails: [anEmail()], ...access });
    const { name } = await db.app.findUniqueOrThrow({ where: { id: app.appId } });
    expect(first.body.role).toMatchObject({ name: `Testers · ${name.slice(0, 30).trim()}`, created: true });
    const permissions = await db.rolePermission.findMany({
      where: { roleId: first.body.role.id },
      include: { targets: { select: { appId: true, environmentId: true } } },
    });
    expect(permissions).toEqual([
      expect.objectContaining({
        scopes: ["release:download"],
        allApps: false,
        targets: [{ appId: app.appId, environmentId: null }],
      }),
    ]);
    const second = await invite({ emails: [anEmail()], ...access });
    expect(second.body.role).toEqual({ ...first.body.role, created: false });
  });

  it("names a role after the preset, the application and its environment, also if their names are long", async () => {
    const long = await anApp({ name: "🛩️".repeat(50), environments: [{ name: "Staging" }] });
    const { body } = await invite({
      emails: [anEmail()],
      preset: "tester",
      apps: [{ appId: long.appId, environmentIds: long.environmentIds }],
    });
    expect(body.role.name).toBe(`Testers · ${"🛩️".repeat(15)} · Staging`);
  });

  it("gives nobody who is there more access: other places or scopes get another role", async () => {
    const [environmentId] = app.environmentIds;
    const roles = new Set<string>();
    for (const access of [
      { preset: "tester", apps: [{ appId: app.appId }] },
      { preset: "tester", apps: [{ appId: app.appId, environmentIds: [environmentId] }] },
      { preset: "viewer", apps: [{ appId: app.appId }] },
      { preset: "tester", apps: [{ appId: (await anApp()).appId }] },
    ]) {
      const { body } = await invite({ emails: [anEmail()], ...access });
      expect(body.role.created).toBe(true);
      roles.add(body.role.id);
    }
    expect(roles.size).toBe(4);
    const { body } = await invite({ emails: [anEmail()], preset: "tester", apps: [{ appId: app.appId }] });
    await db.rolePermission.create({
      data: { id: randomUUID(), roleId: body.role.id, scopes: ["release:delete"], allApps: true },
    });
    const later = await invite({ emails: [anEmail()], preset: "tester", apps: [{ appId: app.appId }] });
    expect(later.body.role).toMatchObject({ created: true });
    expect(later.body.role.id).not.toBe(body.role.id);
  });

  it("adds one role if two invitations arrive at the same moment", async () => {
    const access = { preset: "publisher", apps: [{ appId: app.appId }] };
    const answers = await Promise.all([1, 2, 3].map(() => invite({ emails: [anEmail()], ...access })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.role.id)).size).toBe(1);
  });

  it("changes nothing if one of the people has an account, and names the address", async () => {
    const answer = await refused({
      emails: [anEmail(), admin.email.toUpperCase()],
      preset: "tester",
      apps: [{ appId: app.appId }],
    });
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect(answer.body.errors).toEqual([
      { path: "emails.1", code: "emailTaken", message: expect.stringContaining(admin.email.toUpperCase()) },
    ]);
  });

  it("refuses an address that is there twice, also in another case", async () => {
    const email = anEmail();
    const answer = await refused({ emails: [email, email.toUpperCase()], roleId });
    expect(answer.body.errors[0].path).toBe("emails.1");
  });

  it("takes an address with the wildcards of SQL for itself alone", async () => {
    await invite({ emails: [anEmail("a-b")], roleId });
    expect((await invite({ emails: [anEmail("a_b")], roleId })).status).toBe(201);
  });

  it("takes the names and the team of one person, and the team of several", async () => {
    const one = await invite({ emails: [anEmail("ada")], firstNames: "Augusta Ada", team: "Compilers", roleId });
    expect(one.body.users[0]).toMatchObject({ firstNames: "Augusta Ada", lastNames: "", team: "Compilers" });
    const two = await invite({ emails: [anEmail(), anEmail()], team: "QA", roleId });
    expect(two.body.users.map(({ team }: { team: string }) => team)).toEqual(["QA", "QA"]);
  });

  it.each([
    ["firstNames", { emails: [anEmail(), anEmail()], lastNames: "Lovelace" }],
    ["emails", { emails: [] }],
    ["emails", {}],
    ["emails.0", { emails: ["nobody"] }],
    ["emails", { emails: Array.from({ length: 51 }, () => anEmail()) }],
    ["roleId", { emails: [anEmail()], roleId: undefined }],
    ["roleId", { emails: [anEmail()], preset: "tester" }],
    ["roleId", { emails: [anEmail()], roleId: "019a0000-0000-7000-8000-00000000dead" }],
    ["provider", { emails: [anEmail()], provider: "github" }],
    ["preset", { emails: [anEmail()], roleId: undefined, preset: "owner" }],
    ["apps.0.appId", { emails: [anEmail()], roleId: undefined, preset: "tester", apps: [{ appId: randomUUID() }] }],
  ])("reports that %s is invalid, and changes nothing", async (path, input) => {
    const answer = await refused({ roleId, ...input });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
  });

  it("is for administrators only", async () => {
    const writer = await aUser({ grants: [{ scopes: ["environment:write", "release:delete"] }] });
    expect((await invite({ emails: [anEmail()], roleId }, writer)).status).toBe(403);
  });
});
