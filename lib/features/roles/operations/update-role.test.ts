import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createRole } from "./create-role";
import { getRoles } from "./get-roles";
import { updateRole } from "./update-role";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

const aRole = async (name = `Role ${randomUUID()}`) => (await send(createRole, admin, { name })).body;

/** Sends a command and proves that it changed nothing. */
async function refused(operation: typeof createRole | typeof updateRole, input: Record<string, unknown>) {
  const state = () => Promise.all([auditCount(), db.role.findMany({ orderBy: { id: "asc" } })]);
  const before = await state();
  const answer = await send(operation, admin, input);
  expect(await state()).toEqual(before);
  return answer;
}

describe("create-role", () => {
  it("returns the role, which has no access yet, with one audit record", async () => {
    const before = await auditCount();
    const { status, body } = await send(createRole, admin, { name: " Testers " });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: "Testers",
      superAdmin: false,
      userCount: 0,
      permissionCount: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "Role", action: "create", changes: { name: [null, "Testers"] } });
  });

  it("refuses a name that exists, ignoring case, and names the field", async () => {
    await aRole("Designers");
    const answer = await refused(createRole, { name: "DESIGNERS" });
    expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([409, "conflict", "name"]);
  });

  it.each(["SUPER_ADMIN", "super_admin", " Super Admin "])("refuses %j as reserved", async (name) => {
    const answer = await refused(createRole, { name });
    expect([answer.status, answer.body.code]).toEqual([409, "role_reserved"]);
  });

  it.each([{}, { name: " " }, { name: "x".repeat(101) }])("reports an invalid name: %j", async (input) => {
    const answer = await refused(createRole, input);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "name"]);
  });
});

describe("update-role", () => {
  it("renames a role for its users from the next request on", async () => {
    const user = await aUser();
    const { status, body } = await send(updateRole, admin, { id: user.roleId, name: "Beta testers" });
    expect([status, body.name, body.userCount]).toEqual([200, "Beta testers", 1]);
    const profile = await send(getUserProfile, user);
    expect(profile.body.user.role).toEqual({ id: user.roleId, name: "Beta testers" });
  });

  it("refuses to rename SUPER_ADMIN, and to rename another role to it", async () => {
    const { id } = await aRole();
    for (const input of [
      { id: admin.roleId, name: "Boss" },
      { id: admin.roleId, name: "SUPER_ADMIN" },
      { id, name: "super admin" },
    ]) {
      const answer = await refused(updateRole, input);
      expect([answer.status, answer.body.code]).toEqual([409, "role_reserved"]);
    }
  });

  it("refuses another role's name, and accepts its own in another case", async () => {
    const [one, other] = [await aRole(`One ${randomUUID()}`), await aRole()];
    const answer = await refused(updateRole, { id: one.id, name: other.name });
    expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([409, "conflict", "name"]);
    expect((await send(updateRole, admin, { id: one.id, name: one.name.toUpperCase() })).status).toBe(200);
  });

  it("answers 404 for an unknown role", async () => {
    const answer = await refused(updateRole, { id: "019a0000-0000-7000-8000-00000000dead", name: "Ghosts" });
    expect(answer.status).toBe(404);
  });
});

describe("get-roles", () => {
  it("counts the users and permissions of each role, and marks SUPER_ADMIN", async () => {
    const user = await aUser({ grants: [{ scopes: ["release:read"] }, { scopes: ["environment:read"] }] });
    const { items } = (await send(getRoles, admin, { limit: 100 })).body;
    const byId = (id: string) => items.find((role: { id: string }) => role.id === id);
    expect(byId(user.roleId)).toMatchObject({ userCount: 1, permissionCount: 2, superAdmin: false });
    expect(byId(admin.roleId)).toMatchObject({ name: "SUPER_ADMIN", permissionCount: 0, superAdmin: true });
  });

  it.each(["name", "-name", "createdAt", "-createdAt"])(
    "returns each row once over all pages in the order of %s",
    async (sort) => {
      const { pages } = await readPages(getRoles, admin, { sort, limit: 3 });
      expect(pages.flat().length).toBe(await db.role.count());
      expect(pages.flat()).toEqual(inOrder(pages.flat(), sort));
    },
  );

  it("finds by part of the name", async () => {
    const { name } = await aRole(`Needle ${randomUUID()}`);
    const { items, total } = (await send(getRoles, admin, { search: "nEEdle" })).body;
    expect([items.map((role: { name: string }) => role.name), total]).toEqual([[name], 1]);
  });
});
