import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { updateApp } from "@/lib/features/apps/operations/update-app";
import { updateEnvironmentApp } from "@/lib/features/environments/operations/update-environment-app";
import { updateRole } from "@/lib/features/roles/operations/update-role";
import { updateUser } from "@/lib/features/users/operations/update-user";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, auditCount, send } from "@/lib/testing/console";
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
    expect(body.detail).toBe("This was changed after you opened the page. Reload it to see the current state.");
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

  it("undoes a change of an application and of an environment, with all its identifiers", async () => {
    const { appId, environmentIds } = await anApp();
    const id = environmentIds[0] as string;
    const before = await db.environment.findUniqueOrThrow({ where: { id } });
    const changed = { name: "Other", status: "inactive", identifiers: ["com.example.a", "com.example.b"] } as const;
    const fields = { ...changed, identifiers: [...changed.identifiers] };
    expect((await send(updateEnvironmentApp, world.admin, { id, ...fields })).status).toBe(200);
    const undo = { id, name: before.name, status: before.status, identifiers: before.identifiers, expected: fields };
    expect((await send(updateEnvironmentApp, world.admin, undo)).status).toBe(200);
    expect((await send(updateEnvironmentApp, world.admin, undo)).status).toBe(409);
    const app = await db.app.findUniqueOrThrow({ where: { id: appId } });
    await send(updateApp, world.admin, { id: appId, status: "inactive", description: "New" });
    const expected = { name: app.name, status: "inactive", description: "New" } as const;
    const back = { id: appId, status: "active", description: null, expected } as const;
    expect((await send(updateApp, world.admin, back)).status).toBe(200);
    expect((await send(updateApp, world.admin, back)).status).toBe(409);
  });
});
