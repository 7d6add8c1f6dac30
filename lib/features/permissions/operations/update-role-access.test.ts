import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { anApp, aRole, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { aTesterGroup, grantGroup } from "@/lib/testing/tester-groups";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createRolePermission } from "./create-role-permission";
import { updateRoleAccess } from "./update-role-access";
import { updateRolePermission } from "./update-role-permission";

setUpTestDatabase();

let admin: TestUser;
let app: { appId: string; environmentIds: string[] };
let roleId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
});

beforeEach(async () => {
  roleId = await aRole();
});

const change = (places: unknown[], caller = admin, role = roleId) =>
  send(updateRoleAccess, caller, { roleId: role, places });
const stored = () =>
  db.rolePermission.findMany({
    where: { roleId },
    select: { id: true, scopes: true, allApps: true, targets: { select: { appId: true, environmentId: true } } },
    orderBy: { createdAt: "asc" },
  });

describe("update-role-access", () => {
  it("gives, changes and takes access in single places, with one audit record each", async () => {
    const [environmentId] = app.environmentIds;
    const before = await auditCount();
    const { status, body } = await change([
      { appId: app.appId, scopes: ["release:download"] },
      { appId: app.appId, environmentId, scopes: ["release:create", "release:download"] },
    ]);
    expect(status).toBe(200);
    expect(body.permissions).toHaveLength(2);
    expect(await auditCount()).toBe(before + 1);
    const [whole, one] = await stored();
    expect(whole).toMatchObject({
      scopes: ["release:download"],
      allApps: false,
      targets: [{ appId: app.appId, environmentId: null }],
    });
    expect(one).toMatchObject({ targets: [{ appId: app.appId, environmentId }] });

    await change([{ appId: app.appId, environmentId, scopes: [] }]);
    expect(await stored()).toEqual([whole]);
    await change([{ appId: app.appId, scopes: [] }, { scopes: ["release:read"] }]);
    expect(await stored()).toEqual([expect.objectContaining({ scopes: ["release:read"], allApps: true, targets: [] })]);
    await change([{ scopes: [] }]);
    expect(await stored()).toEqual([]);
  });

  it("changes nothing if a place no longer has what the caller expects, such as at an undo after another change", async () => {
    const place = { appId: app.appId };
    await change([{ ...place, scopes: ["release:download"], expected: [] }]);
    const kept = await stored();
    const { status, body } = await change([{ ...place, scopes: [], expected: ["release:delete"] }]);
    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(await stored()).toEqual(kept);
    // Implied scopes make no difference.
    const expected = ["release:read", "release:download"];
    expect((await change([{ ...place, scopes: [], expected }])).status).toBe(200);
    expect(await stored()).toEqual([]);
  });

  it("leaves permissions for the releases of groups alone", async () => {
    const groupId = (await aTesterGroup(admin, { appId: app.appId })).id;
    await grantGroup({ roleId }, groupId);
    await change([{ scopes: ["release:read"] }]);
    await change([{ scopes: [] }]);
    expect(await stored()).toMatchObject([{ allApps: false, targets: [] }]);
    expect(await db.rolePermissionGroup.count({ where: { groupId } })).toBe(1);
  });

  it("keeps the permissions that it does not touch", async () => {
    const other = await anApp();
    const kept = await send(createRolePermission, admin, {
      roleId,
      scopes: ["release:delete"],
      apps: [{ appId: other.appId }],
    });
    await change([{ appId: app.appId, scopes: ["release:read"] }]);
    expect((await stored()).map(({ id }) => id)).toContain(kept.body.id);
  });

  it("loses nothing if two administrators change different places at the same moment", async () => {
    const other = await anApp();
    await Promise.all([
      change([{ appId: app.appId, scopes: ["release:read"] }]),
      change([{ appId: other.appId, scopes: ["release:download"] }]),
    ]);
    const places = (await stored()).flatMap(({ targets }) => targets.map(({ appId }) => appId));
    expect(places.sort()).toEqual([app.appId, other.appId].sort());
  });

  it.each([
    ["places", () => []],
    ["places.0.appId", () => [{ appId: "019a0000-0000-7000-8000-00000000dead", scopes: ["release:read"] }]],
    ["places.0.appId", () => [{ environmentId: app.environmentIds[0], scopes: ["release:read"] }]],
    [
      "places.1.environmentId",
      () => [
        { scopes: [] },
        { appId: app.appId, environmentId: "019a0000-0000-7000-8000-00000000dead", scopes: ["release:read"] },
      ],
    ],
    ["places.0.scopes.0", () => [{ appId: app.appId, scopes: ["release:own"] }]],
  ])("reports that %s is invalid, and changes nothing", async (path, places) => {
    const before = await auditCount();
    const { status, body } = await change(places());
    expect([status, body.errors[0].path]).toEqual([422, path]);
    expect([await auditCount(), await stored()]).toEqual([before, []]);
  });

  it("refuses SUPER_ADMIN and an unknown role", async () => {
    const places = [{ appId: app.appId, scopes: ["release:read"] }];
    expect((await change(places, admin, admin.roleId)).status).toBe(422);
    expect((await change(places, admin, "019a0000-0000-7000-8000-00000000dead")).status).toBe(404);
  });
});

it("a change of one of the role's permissions at the same time waits its turn", async () => {
  const { body: permission } = await send(createRolePermission, admin, {
    roleId,
    scopes: ["release:read"],
    apps: [{ appId: app.appId }],
  });
  const { changing } = await db.$transaction(async (tx) => {
    // What a change of the role's access does: the role first, then its permissions.
    await lockRow(tx, "Role", roleId);
    const changing = send(updateRolePermission, admin, { id: permission.id, scopes: ["release:update"] });
    await untilWaitingForLocks(1);
    await lockRow(tx, "RolePermission", permission.id);
    return { changing };
  }, LONG_TRANSACTION);
  expect((await changing).status).toBe(200);
});
