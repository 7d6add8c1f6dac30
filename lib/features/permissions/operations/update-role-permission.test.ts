import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { newId } from "@/lib/kernel/ids";
import { isGroupScope, SCOPES, withImplied } from "@/lib/permissions/scopes";
import { changedFields } from "@/lib/testing/audit";
import { anApp, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { readPages } from "@/lib/testing/lists";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createRolePermission } from "./create-role-permission";
import { deleteRolePermission } from "./delete-role-permission";
import { getAvailableScopes } from "./get-available-scopes";
import { getRolePermissions } from "./get-role-permissions";
import { getRolePermissionsByRoleId } from "./get-role-permissions-by-role-id";
import { updateRolePermission } from "./update-role-permission";

setUpTestDatabase();

type App = Awaited<ReturnType<typeof anApp>>;

const MISSING = "019a0000-0000-7000-8000-00000000dead";

let admin: TestUser;
let harbour: App;
let orbit: App;
beforeAll(async () => {
  admin = await aUser({ admin: true });
  harbour = await anApp({ name: "Harbour", environments: [{ name: "QA" }, { name: "Production" }] });
  orbit = await anApp({ name: "Orbit", environments: [{ name: "QA" }, { name: "Alpha" }] });
});

const aRole = async () =>
  (await db.role.create({ data: { id: randomUUID(), name: `Role ${randomUUID()}` } })).id as string;

const qa = (app: App) => app.environmentIds[0] as string;
const named = (app: App, index: number, name: string) => ({ id: app.environmentIds[index], name });

/** Sends a command and proves that it changed nothing. */
async function refused(
  operation: typeof createRolePermission | typeof updateRolePermission | typeof deleteRolePermission,
  input: Record<string, unknown>,
  caller = admin,
) {
  const state = () =>
    Promise.all([
      auditCount(),
      db.rolePermission.findMany({ include: { targets: { orderBy: { id: "asc" } } }, orderBy: { id: "asc" } }),
    ]);
  const before = await state();
  const answer = await send(operation, caller, input);
  expect(await state()).toEqual(before);
  return answer;
}

describe("get-available-scopes", () => {
  it("returns every scope in the caller's language, with the scopes that it implies", async () => {
    const inLanguage = async (language: string) =>
      (await send(getAvailableScopes, admin, {}, { headers: { "accept-language": language } })).body.items;
    const [english, german] = [await inLanguage("en"), await inLanguage("de")];
    expect(english.map(({ scope }: { scope: string }) => scope)).toEqual([...SCOPES]);
    expect(english).toContainEqual({
      scope: "release:download",
      label: "Download releases",
      description: "Download, install and share releases.",
      implies: ["release:read"],
    });
    expect(german.find(({ scope }: { scope: string }) => scope === "release:download").label).toBe(
      "Releases herunterladen",
    );
    expect(english[0].implies).toEqual([]);
  });
});

describe("create-role-permission", () => {
  it("returns the scopes and places by name, with one audit record", async () => {
    const roleId = await aRole();
    const before = await auditCount();
    const { status, body } = await send(createRolePermission, admin, {
      roleId,
      scopes: ["release:download", "environment:read", "release:download"],
      apps: [
        { appId: orbit.appId, environmentIds: [qa(orbit), orbit.environmentIds[1]] },
        { appId: harbour.appId, environmentIds: [] },
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      role: { id: roleId },
      scopes: ["release:download", "environment:read"],
      apps: [
        { id: harbour.appId, name: "Harbour", environments: "all" },
        { id: orbit.appId, name: "Orbit", environments: [named(orbit, 0, "QA"), named(orbit, 1, "Alpha")] },
      ],
    });
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "RolePermission", action: "create", recordId: body.id });
  });

  it.each([[], undefined])("applies to all apps if none is given: %j", async (apps) => {
    const user = await aUser();
    const input = { roleId: user.roleId, scopes: ["environment:read"], ...(apps && { apps }) };
    expect((await send(createRolePermission, admin, input)).body.apps).toBe("all");
    const later = await anApp();
    expect((await send(getEnvironmentApp, user, { id: qa(later) })).status).toBe(200);
  });

  it("applies to all environments of an app if none is given, including future ones", async () => {
    const user = await aUser();
    const app = await anApp();
    await send(createRolePermission, admin, {
      roleId: user.roleId,
      scopes: ["environment:read"],
      apps: [{ appId: app.appId }],
    });
    const { id } = await db.environment.create({ data: { id: randomUUID(), appId: app.appId, name: "Later" } });
    expect((await send(getEnvironmentApp, user, { id })).status).toBe(200);
    expect((await send(getEnvironmentApp, user, { id: qa(harbour) })).status).toBe(404);
  });

  it("refuses environments of another app and unknown places, by path", async () => {
    const roleId = await aRole();
    const given = { roleId, scopes: ["release:read"] };
    const wrong: [string, unknown][] = [
      ["apps.0.environmentIds.1", [{ appId: harbour.appId, environmentIds: [qa(harbour), qa(orbit)] }]],
      ["apps.1.environmentIds.0", [{ appId: orbit.appId }, { appId: harbour.appId, environmentIds: [MISSING] }]],
      ["apps.0.appId", [{ appId: MISSING, environmentIds: [] }]],
    ];
    for (const [path, apps] of wrong) {
      const answer = await refused(createRolePermission, { ...given, apps });
      expect([answer.status, answer.body.errors.length, answer.body.errors[0].path]).toEqual([422, 1, path]);
    }
  });

  it.each([
    ["roleId", { roleId: undefined }],
    ["roleId", { roleId: MISSING }],
    ["scopes", { scopes: [] }],
    ["scopes", { scopes: undefined }],
    ["scopes.0", { scopes: ["release:everything"] }],
    ["apps", { apps: "all" }],
    ["apps.0.environments", { apps: [{ appId: MISSING, environments: [] }] }],
  ])("reports that %s is invalid", async (path, changes) => {
    const answer = await refused(createRolePermission, {
      roleId: await aRole(),
      scopes: ["release:read"],
      apps: [],
      ...changes,
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it("refuses a permission for SUPER_ADMIN, which holds every scope, and says so", async () => {
    const answer = await refused(createRolePermission, { roleId: admin.roleId, scopes: ["release:read"], apps: [] });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      {
        path: "roleId",
        code: "superAdminNeedsNone",
        message: "Super administrators already have access to everything and need no permission. Choose another role.",
      },
    ]);
  });

  it("refuses a permission that the role already has, in any spelling", async () => {
    const roleId = await aRole();
    const input = { roleId, scopes: ["release:create"], apps: [{ appId: orbit.appId, environmentIds: [qa(orbit)] }] };
    expect((await send(createRolePermission, admin, input)).status).toBe(201);
    const again = { ...input, scopes: ["release:create", "release:read"], apps: [...input.apps, ...input.apps] };
    const answer = await refused(createRolePermission, again);
    expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([409, "conflict", "scopes"]);
    expect((await send(createRolePermission, admin, { ...input, roleId: await aRole() })).status).toBe(201);
    expect((await send(createRolePermission, admin, { ...input, apps: [] })).status).toBe(201);
  });

  it("creates one permission if two equal ones arrive at the same moment", async () => {
    const input = { roleId: await aRole(), scopes: ["release:read"], apps: [] };
    const answers = await Promise.all([1, 2].map(() => send(createRolePermission, admin, input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it("lets only administrators grant permissions", async () => {
    const writer = await aUser({ grants: [{ scopes: [...SCOPES] }] });
    for (const roleId of [writer.roleId, await aRole()]) {
      const answer = await refused(createRolePermission, { roleId, scopes: ["release:read"], apps: [] }, writer);
      expect(answer.status).toBe(403);
    }
  });
});

describe("a permission for the releases of groups", () => {
  const aGroup = async (app: App) => (await aTesterGroup(admin, { appId: app.appId, name: `Beta ${newId()}` })).id;
  const groupsOf = ({ groups }: { groups: { id: string }[] }) => groups.map(({ id }) => id);

  it("names them with their applications, and no place", async () => {
    const [one, two] = [await aGroup(orbit), await aGroup(harbour)];
    const input = { roleId: await aRole(), scopes: ["release:download"], groupIds: [one, two, one] };
    const { status, body } = await send(createRolePermission, admin, input);
    expect([status, body.apps, groupsOf(body).toSorted()]).toEqual([201, [], [one, two].toSorted()]);
    expect(body.groups.map(({ app }: { app: { id: string } }) => app.id).toSorted()).toEqual(
      [orbit.appId, harbour.appId].toSorted(),
    );
    expect(await db.rolePermission.findUniqueOrThrow({ where: { id: body.id } })).toMatchObject({ allApps: false });
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record.changes).toMatchObject({ groups: [null, body.groups] });
    expect((await refused(createRolePermission, input)).status).toBe(409);
    expect((await send(getRolePermissions, admin, { search: body.groups[0].name })).body.total).toBe(1);
  });

  it("can only read and install, and never in places too", async () => {
    const groupIds = [await aGroup(orbit)];
    const roleId = await aRole();
    const wrong = async (input: object) => {
      const answer = await refused(createRolePermission, { roleId, scopes: ["release:read"], ...input });
      return [
        answer.status,
        ...answer.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
      ];
    };
    for (const scope of SCOPES.filter((one) => !isGroupScope(one))) {
      expect(await wrong({ groupIds, scopes: ["release:read", scope] })).toEqual([422, ["scopes", "groupScopes"]]);
    }
    const apps = [{ appId: orbit.appId }];
    expect(await wrong({ groupIds, apps })).toEqual([422, ["groupIds", "invalid"]]);
    expect(await wrong({ groupIds: [...groupIds, MISSING] })).toEqual([422, ["groupIds.1", "unknown"]]);
    expect((await wrong({ groupIds: [] }))[0]).toBe(422);
  });

  it("becomes one in places by a change, and back, with the scopes that this allows", async () => {
    const groupId = await aGroup(orbit);
    const input = { roleId: await aRole(), scopes: ["release:read"], groupIds: [groupId] };
    const { id } = (await send(createRolePermission, admin, input)).body;
    const change = async (changes: object) => (await send(updateRolePermission, admin, { id, ...changes })).body;
    expect((await refused(updateRolePermission, { id, scopes: ["release:create"] })).body.errors[0].code).toBe(
      "groupScopes",
    );
    expect(await change({ apps: [{ appId: orbit.appId }] })).toMatchObject({ groups: [], apps: [{ id: orbit.appId }] });
    await change({ scopes: ["release:create"] });
    expect((await refused(updateRolePermission, { id, groupIds: [groupId] })).status).toBe(422);
    const back = await change({ groupIds: [groupId], scopes: ["release:download"] });
    expect([back.apps, groupsOf(back)]).toEqual([[], [groupId]]);
  });
});

describe("a change of permissions", () => {
  it("takes effect with the next request of an open session when created, changed and deleted", async () => {
    const user = await aUser();
    const look = async (app: App) => (await send(getEnvironmentApp, user, { id: qa(app) })).status;
    expect([await look(harbour), await look(orbit)]).toEqual([404, 404]);

    const apps = [{ appId: harbour.appId, environmentIds: [qa(harbour)] }];
    const { body } = await send(createRolePermission, admin, {
      roleId: user.roleId,
      scopes: ["environment:read"],
      apps,
    });
    expect([await look(harbour), await look(orbit)]).toEqual([200, 404]);

    await send(updateRolePermission, admin, { id: body.id, apps: [{ appId: orbit.appId }] });
    expect([await look(harbour), await look(orbit)]).toEqual([404, 200]);

    await send(updateRolePermission, admin, { id: body.id, scopes: ["release:read"] });
    expect([await look(harbour), await look(orbit)]).toEqual([404, 403]);

    expect((await send(deleteRolePermission, admin, { id: body.id })).status).toBe(204);
    expect([await look(harbour), await look(orbit)]).toEqual([404, 404]);
    expect((await send(getUserProfile, user)).body.permissions).toEqual([]);
  });

  it("keeps omitted fields and the permission's ID, and is audited with the changes", async () => {
    const roleId = await aRole();
    const { body: made } = await send(createRolePermission, admin, {
      roleId,
      scopes: ["release:read"],
      apps: [{ appId: orbit.appId, environmentIds: [qa(orbit)] }],
    });
    const { body } = await send(updateRolePermission, admin, { id: made.id, scopes: ["release:update"] });
    expect(body).toMatchObject({ id: made.id, role: made.role, scopes: ["release:update"], apps: made.apps });
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(changedFields(record)).toEqual({ scopes: [["release:read"], ["release:update"]] });
    expect((await send(updateRolePermission, admin, { id: made.id, apps: [] })).body.apps).toBe("all");
  });

  it("is refused if it would equal another permission or apply to SUPER_ADMIN", async () => {
    const roleId = await aRole();
    const make = async (scopes: string[]) =>
      (await send(createRolePermission, admin, { roleId, scopes, apps: [] })).body.id;
    const [one, other] = [await make(["release:read"]), await make(["release:create"])];
    expect((await refused(updateRolePermission, { id: one, scopes: ["release:create"] })).status).toBe(409);
    expect((await refused(updateRolePermission, { id: other, roleId: admin.roleId })).status).toBe(422);
    const own = await send(updateRolePermission, admin, { id: one, scopes: ["release:read"] });
    expect(own.status).toBe(200);
  });

  it("is answered 404 for an unknown permission", async () => {
    expect((await refused(updateRolePermission, { id: MISSING, apps: [] })).status).toBe(404);
    expect((await refused(deleteRolePermission, { id: MISSING })).status).toBe(404);
  });

  it("deletes a permission completely, and is audited with its scopes and places", async () => {
    const { body } = await send(createRolePermission, admin, {
      roleId: await aRole(),
      scopes: ["release:read"],
      apps: [{ appId: orbit.appId }],
    });
    await send(deleteRolePermission, admin, { id: body.id });
    expect(await db.rolePermissionTarget.count({ where: { permissionId: body.id } })).toBe(0);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ action: "delete", recordId: body.id });
    expect(record.changes).toMatchObject({ scopes: [["release:read"], null] });
  });
});

describe("get-role-permissions", () => {
  it("returns all pages newest first, and finds by role, application and environment", async () => {
    const { pages } = await readPages(getRolePermissions, admin, { limit: 4 });
    expect(pages.flat().length).toBe(await db.rolePermission.count());
    const dates = pages.flat().map(({ createdAt }) => createdAt);
    expect(dates).toEqual(dates.toSorted().reverse());

    const roleId = await aRole();
    const app = await anApp({ name: "Needle", environments: [{ name: "Haystack" }] });
    const { body } = await send(createRolePermission, admin, {
      roleId,
      scopes: ["release:read"],
      apps: [{ appId: app.appId, environmentIds: [qa(app)] }],
    });
    for (const search of ["needle", "HAYST", body.role.name]) {
      const found = (await send(getRolePermissions, admin, { search })).body;
      expect([found.items.map(({ id }: { id: string }) => id), found.total]).toEqual([[body.id], 1]);
    }
  });

  it("returns the permissions of one role, by filter or by its own operation", async () => {
    const roleId = await aRole();
    const { body } = await send(createRolePermission, admin, { roleId, scopes: ["release:read"], apps: [] });
    for (const operation of [getRolePermissions, getRolePermissionsByRoleId]) {
      expect((await send(operation, admin, { roleId })).body).toEqual({ items: [body], nextCursor: null, total: 1 });
    }
    expect((await send(getRolePermissionsByRoleId, admin, { roleId: await aRole() })).body.items).toEqual([]);
    expect((await send(getRolePermissionsByRoleId, admin, { roleId: MISSING })).status).toBe(404);
    expect((await send(getRolePermissionsByRoleId, admin, {})).body.errors[0].path).toBe("roleId");
  });

  it("returns a permission whose applications were deleted as one without places", async () => {
    const user = await aUser();
    const app = await anApp();
    const { body } = await send(createRolePermission, admin, {
      roleId: user.roleId,
      scopes: ["environment:read"],
      apps: [{ appId: app.appId }],
    });
    await db.app.delete({ where: { id: app.appId } });
    const shown = await send(getRolePermissionsByRoleId, admin, { roleId: user.roleId });
    expect(shown.body.items).toMatchObject([{ id: body.id, apps: [] }]);
    expect((await send(getEnvironmentApp, user, { id: qa(harbour) })).status).toBe(404);
  });
});

describe("get-user-profile", () => {
  it("returns the role's access: scopes with those they imply, apps and environments by name", async () => {
    const user = await aUser();
    await send(createRolePermission, admin, {
      roleId: user.roleId,
      scopes: ["release:download"],
      apps: [{ appId: orbit.appId, environmentIds: [qa(orbit)] }, { appId: harbour.appId }],
    });
    await send(createRolePermission, admin, { roleId: user.roleId, scopes: ["environment:read"], apps: [] });
    expect((await send(getUserProfile, user)).body.permissions).toEqual([
      {
        scopes: withImplied(["release:download"]),
        apps: [
          {
            id: harbour.appId,
            name: "Harbour",
            environments: [named(harbour, 0, "QA"), named(harbour, 1, "Production")],
          },
          { id: orbit.appId, name: "Orbit", environments: [named(orbit, 0, "QA")] },
        ],
        groups: [],
      },
      { scopes: ["environment:read"], apps: "all", groups: [] },
    ]);
    expect((await send(getUserProfile, admin)).body.permissions).toEqual([
      { scopes: [...SCOPES], apps: "all", groups: [] },
    ]);
  });

  it("omits inactive places for users who cannot activate them", async () => {
    const app = await anApp({ name: "Off", environments: [{ name: "On" }, { name: "Off", status: "inactive" }] });
    const off = await anApp({ name: "Gone", status: "inactive" });
    const apps = [{ appId: app.appId }, { appId: off.appId }];
    const [reader, writer] = [await aUser(), await aUser()];
    await send(createRolePermission, admin, { roleId: reader.roleId, scopes: ["release:read"], apps });
    await send(createRolePermission, admin, { roleId: writer.roleId, scopes: ["environment:write"], apps });
    const shown = async (user: TestUser) =>
      (await send(getUserProfile, user)).body.permissions[0].apps.map(
        ({ name, environments }: { name: string; environments: { name: string }[] }) => [
          name,
          environments.map((environment) => environment.name),
        ],
      );
    expect(await shown(reader)).toEqual([["Off", ["On"]]]);
    expect(await shown(writer)).toEqual([
      ["Gone", ["Testing"]],
      ["Off", ["On", "Off"]],
    ]);
  });
});

describe("the undo of a change", () => {
  it("is refused with conflict after another change", async () => {
    const input = { roleId: await aRole(), scopes: ["release:read"], apps: [{ appId: orbit.appId }] };
    const { body: created } = await send(createRolePermission, admin, input);
    const { updatedAt } = created;
    const change = { id: created.id, scopes: ["release:create"], expected: { updatedAt } };
    const { status, body: changed } = await send(updateRolePermission, admin, change);
    expect(status).toBe(200);
    expect(await refused(updateRolePermission, change)).toMatchObject({ status: 409, body: { code: "conflict" } });
    const deletion = { id: created.id, expected: { updatedAt } };
    expect(await refused(deleteRolePermission, deletion)).toMatchObject({ status: 409, body: { code: "conflict" } });
    const current = { id: created.id, expected: { updatedAt: changed.updatedAt } };
    expect((await send(deleteRolePermission, admin, current)).status).toBe(204);
  });
});
