import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { updateRole } from "@/lib/features/roles/operations/update-role";
import { updateUser } from "@/lib/features/users/operations/update-user";
import { newId } from "@/lib/kernel/ids";
import { aUser, auditCount, send } from "@/lib/testing/console";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

describe("a change that expects the current values", () => {
  it("undoes a change of a user, with a record of its own", async () => {
    const { userId } = await aUser();
    const { roleId } = await db.user.findUniqueOrThrow({ where: { id: userId } });
    const role = await db.role.create({ data: { id: newId(), name: "Publishers" } });
    await send(updateUser, world.admin, { id: userId, roleId: role.id, status: "inactive" });
    const before = await auditCount();
    const undo = { id: userId, roleId, status: "active", expected: { roleId: role.id, status: "inactive" } } as const;
    expect((await send(updateUser, world.admin, undo)).status).toBe(200);
    expect(await db.user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject({ roleId, status: "active" });
    expect(await auditCount()).toBe(before + 1);
  });

  it("changes nothing if somebody has changed the user in the meantime, and says so", async () => {
    const { userId } = await aUser();
    await send(updateUser, world.admin, { id: userId, team: "Kernels" });
    await send(updateUser, world.admin, { id: userId, team: "Compilers" });
    const before = await auditCount();
    const undo = { id: userId, team: null, expected: { team: "Kernels" } };
    const { status, body } = await send(updateUser, world.admin, undo, { headers: { "accept-language": "en" } });
    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(body.detail).toBe("It has been changed in the meantime. Reload the page to see its current state.");
    expect((await db.user.findUniqueOrThrow({ where: { id: userId } })).team).toBe("Compilers");
    expect(await auditCount()).toBe(before);
  });

  it("renames a role back only while it has the name that it was given", async () => {
    const { id } = await db.role.create({ data: { id: newId(), name: "Before" } });
    await send(updateRole, world.admin, { id, name: "After" });
    const undo = { id, name: "Before", expected: { name: "After" } };
    expect((await send(updateRole, world.admin, undo)).status).toBe(200);
    expect((await send(updateRole, world.admin, undo)).status).toBe(409);
  });
});
