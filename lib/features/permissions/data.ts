import "server-only";
import type { z } from "zod";
import { containsText, pageClauses, type SortFields, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { lockRow } from "@/lib/db/locks";
import { findRole } from "@/lib/features/roles/data";
import { ApiError, conflict, type FieldIssue, invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import { isGroupScope, isScope, type Scope, withImplied } from "@/lib/permissions/scopes";
import { type Grant, givesTheSame, type Target, targetsOf, wrongPlaces } from "./rules";
import type { ChosenApps, getRolePermissionsInput, PlaceAccess, RolePermission } from "./schema";

const named = { select: { id: true, name: true } } as const;
const shown = {
  role: named,
  targets: {
    include: { app: named, environment: named },
    orderBy: [{ app: { name: "asc" } }, { appId: "asc" }, { environment: { position: "asc" } }, { id: "asc" }],
  },
  groups: {
    select: { group: { select: { id: true, name: true, app: named } } },
    orderBy: [{ group: { app: { name: "asc" } } }, { group: { name: "asc" } }, { groupId: "asc" }],
  },
} satisfies Prisma.RolePermissionInclude;
export type RolePermissionRow = Prisma.RolePermissionGetPayload<{ include: typeof shown }>;

/** A permission's row as the API shows it. */
export function toRolePermission(row: RolePermissionRow): RolePermission {
  return {
    id: row.id,
    role: row.role,
    scopes: row.scopes.filter(isScope),
    apps: row.allApps ? "all" : namedApps(row.targets),
    groups: row.groups.map(({ group }) => group),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function namedApps(targets: RolePermissionRow["targets"]): Exclude<RolePermission["apps"], "all"> {
  const byApp = Map.groupBy(targets, ({ appId }) => appId);
  return [...byApp.values()].map((places) => {
    const { app } = places[0] as (typeof places)[number];
    const environments = places.flatMap(({ environment }) => environment ?? []);
    const whole = environments.length < places.length;
    return { ...app, environments: whole ? "all" : environments };
  });
}

const SORTS: SortFields = { role: { path: ["role", "name"] } };

/** The permissions, of one role if given. Searched by the names of roles, apps, environments and groups. */
export async function listRolePermissions(db: Db, input: Omit<z.output<typeof getRolePermissionsInput>, "format">) {
  const where: Prisma.RolePermissionWhereInput = {
    roleId: input.roleId,
    ...(input.search && {
      OR: [
        { role: containsText(input.search, ["name"]) },
        { targets: { some: { app: containsText(input.search, ["name"]) } } },
        { targets: { some: { environment: containsText(input.search, ["name"]) } } },
        { groups: { some: { group: containsText(input.search, ["name"]) } } },
        { groups: { some: { group: { app: containsText(input.search, ["name"]) } } } },
      ],
    }),
  };
  const clauses = pageClauses(input, ["createdAt", "updatedAt"], SORTS);
  const [rows, total] = await Promise.all([
    db.rolePermission.findMany({ ...clauses, where: { AND: [where, clauses.where] }, include: shown }),
    db.rolePermission.count({ where }),
  ]);
  return { ...toPage(rows, input, SORTS), total };
}

function findRolePermission(db: Db, id: string): Promise<RolePermissionRow | null> {
  return db.rolePermission.findUnique({ where: { id }, include: shown });
}

/**
 * Locks the role of a permission and `otherRole`, in the order of their IDs, then loads and locks the permission. The locks are held
 * until the transaction ends. All operations that change a role's permissions lock the role first.
 * @throws ApiError conflict if the permission was given to another role at the same time
 */
export async function lockPermissionOfRoles(tx: Db, id: string, otherRole?: string): Promise<RolePermissionRow | null> {
  const known = await findRolePermission(tx, id);
  if (known === null) return null;
  const roleIds = new Set([known.role.id, otherRole ?? known.role.id]);
  for (const roleId of [...roleIds].sort()) await lockRow(tx, "Role", roleId);
  const locked = await lockRolePermission(tx, id);
  if (locked && locked.role.id !== known.role.id) {
    throw new ApiError("conflict", { detailKey: "detailChanged", params: { field: "roleId" } });
  }
  return locked;
}

/** Loads a permission and locks it until the transaction ends. */
export async function lockRolePermission(tx: Db, id: string): Promise<RolePermissionRow | null> {
  await lockRow(tx, "RolePermission", id);
  return findRolePermission(tx, id);
}

/** The issues of a selection of apps: the path of each app and environment that does not exist. */
async function placeIssues(tx: Db, apps: ChosenApps): Promise<FieldIssue[]> {
  const [known, environments] = await Promise.all([
    tx.app.findMany({ where: { id: { in: apps.map(({ appId }) => appId) } }, select: { id: true } }),
    tx.environment.findMany({
      where: { id: { in: apps.flatMap(({ environmentIds }) => environmentIds) } },
      select: { id: true, appId: true },
    }),
  ]);
  const appOf = new Map(environments.map(({ id, appId }) => [id, appId]));
  return wrongPlaces(apps, new Set(known.map(({ id }) => id)), appOf);
}

/** @throws ApiError validation_failed with the path of each app and environment that does not exist */
export async function requirePlaces(tx: Db, apps: ChosenApps): Promise<void> {
  const issues = await placeIssues(tx, apps);
  if (issues.length > 0) throw new ApiError("validation_failed", { issues });
}

/** Like `requirePlaces`, for the places of a change of a role's access. */
export async function requireChangedPlaces(tx: Db, places: readonly PlaceAccess[]): Promise<void> {
  const named = places.flatMap(({ appId, environmentId }, index) =>
    appId === null ? [] : [{ index, appId, environmentIds: environmentId === null ? [] : [environmentId] }],
  );
  const issues = await placeIssues(tx, named);
  if (issues.length === 0) return;
  throw new ApiError("validation_failed", {
    issues: issues.map((issue) => ({
      ...issue,
      path: ["places", named[Number(issue.path[1])]?.index ?? 0, issue.path.length > 3 ? "environmentId" : "appId"],
    })),
  });
}

/** @throws ApiError validation_failed with the path of each group that does not exist, or for scopes that groups cannot have */
export async function requireGroups(
  tx: Db,
  { scopes, groupIds }: { scopes: readonly Scope[]; groupIds: readonly string[] },
): Promise<void> {
  if (groupIds.length === 0) return;
  if (!scopes.every(isGroupScope)) throw invalidField("scopes", "groupScopes");
  const groups = await tx.testerGroup.findMany({ where: { id: { in: [...groupIds] } }, select: { id: true } });
  const known = new Set(groups.map(({ id }) => id));
  const issues = groupIds.flatMap((id, index): FieldIssue[] =>
    known.has(id) ? [] : [{ path: ["groupIds", index], code: "unknown", message: "unknown" }],
  );
  if (issues.length > 0) throw new ApiError("validation_failed", { issues });
}

/** The role, scopes and places of a permission (null: everywhere). One for the releases of groups has no places. */
interface Granted {
  roleId: string;
  scopes: Scope[];
  targets: Target[] | null;
  groupIds?: readonly string[];
}

/**
 * Locks the permissions of a role until the transaction ends, and checks that the role can have this one.
 * @param except the permission that is being changed
 * @throws ApiError validation_failed if the role does not exist or is SUPER_ADMIN; conflict if the role has another
 *   permission with the same scopes and places
 */
export async function requireNewToRole(tx: Db, granted: Granted, except?: string): Promise<void> {
  const role = (await lockRow(tx, "Role", granted.roleId)) ? await findRole(tx, granted.roleId) : null;
  if (role === null) throw invalidField("roleId", "unknown");
  if (role.name === SUPER_ADMIN) throw invalidField("roleId", "superAdminNeedsNone");
  const others = await tx.rolePermission.findMany({
    where: { roleId: granted.roleId, ...(except && { id: { not: except } }) },
    include: { targets: true, groups: true },
  });
  const same = others.some(({ scopes, allApps, targets, groups }) =>
    givesTheSame(granted, {
      scopes: scopes.filter(isScope),
      targets: allApps ? null : targets,
      groupIds: groups.map(({ groupId }) => groupId),
    }),
  );
  if (same) throw conflict("scopes", "permissionTwice");
}

const newTargets = (targets: Target[] | null) =>
  (targets ?? []).map(({ appId, environmentId }) => ({ id: newId(), appId, environmentId }));

const newGroups = (groupIds: readonly string[] = []) => groupIds.map((groupId) => ({ groupId }));

export function createRolePermission(
  tx: Db,
  { roleId, scopes, targets, groupIds }: Granted,
): Promise<RolePermissionRow> {
  return tx.rolePermission.create({
    data: {
      id: newId(),
      roleId,
      scopes,
      allApps: targets === null,
      targets: { create: newTargets(targets) },
      groups: { create: newGroups(groupIds) },
    },
    include: shown,
  });
}

/** Replaces the scopes, and the places or groups, of a permission. */
export async function replaceRolePermission(
  tx: Db,
  id: string,
  { roleId, scopes, targets, groupIds }: Granted,
): Promise<RolePermissionRow> {
  return tx.rolePermission.update({
    where: { id },
    data: {
      roleId,
      scopes,
      allApps: targets === null,
      targets: { deleteMany: {}, create: newTargets(targets) },
      groups: { deleteMany: {}, create: newGroups(groupIds) },
    },
    include: shown,
  });
}

export async function deleteRolePermission(tx: Db, id: string): Promise<void> {
  await tx.rolePermission.delete({ where: { id } });
}

/** Deletes the permissions that are for the releases of one group alone. @returns them */
export async function deletePermissionsOfGroup(tx: Db, groupId: string): Promise<RolePermissionRow[]> {
  const named = await tx.rolePermission.findMany({
    where: { groups: { some: { groupId }, every: { groupId } } },
    include: shown,
    orderBy: { id: "asc" },
  });
  await tx.rolePermission.deleteMany({ where: { id: { in: named.map(({ id }) => id) } } });
  return named;
}

/** All permissions of a role, oldest first. */
export function rolePermissionsOf(db: Db, roleId: string): Promise<RolePermissionRow[]> {
  return db.rolePermission.findMany({
    where: { roleId },
    include: shown,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}

/**
 * Gives a role exactly some grants in places. Permissions with the scopes of one are kept, with its places.
 * @param before the role's permissions in places; those for the releases of groups are left alone
 */
export async function replaceGrants(
  tx: Db,
  roleId: string,
  before: readonly RolePermissionRow[],
  grants: readonly Grant[],
): Promise<void> {
  const left = [...before];
  for (const grant of grants) {
    const index = left.findIndex(
      ({ scopes, allApps }) =>
        allApps === (grant.targets === null) &&
        withImplied(scopes.filter(isScope)).join() === withImplied(grant.scopes).join(),
    );
    const [kept] = index < 0 ? [] : left.splice(index, 1);
    if (!kept) await createRolePermission(tx, { roleId, ...grant });
    else if (!givesTheSame(grant, { scopes: grant.scopes, targets: kept.allApps ? null : kept.targets })) {
      await replaceRolePermission(tx, kept.id, { roleId, ...grant });
    }
  }
  await tx.rolePermission.deleteMany({ where: { id: { in: left.map(({ id }) => id) } } });
}

/** The grant of a permission's row. */
export function toGrant({ scopes, allApps, targets }: RolePermissionRow): Grant {
  return {
    scopes: scopes.filter(isScope),
    targets: allApps ? null : targets.map(({ appId, environmentId }) => ({ appId, environmentId })),
  };
}

/** Some scopes in a selection of apps, as an input has them. */
export interface ChosenAccess {
  scopes: Scope[];
  apps: ChosenApps;
}

/**
 * The oldest role that has exactly this access, so that users who are added to it get nothing else; null if there is none.
 */
export async function findRoleWithAccess(
  tx: Db,
  { scopes, apps }: ChosenAccess,
): Promise<{ id: string; name: string } | null> {
  const targets = targetsOf(apps);
  const appIds = [...new Set(apps.map(({ appId }) => appId))];
  const candidates = await tx.rolePermission.findMany({
    where: { allApps: targets === null, AND: appIds.map((appId) => ({ targets: { some: { appId } } })) },
    include: { targets: true, role: { select: { id: true, name: true, _count: { select: { permissions: true } } } } },
    orderBy: [{ role: { createdAt: "asc" } }, { roleId: "asc" }],
  });
  const found = candidates.find(
    (permission) =>
      permission.role._count.permissions === 1 &&
      givesTheSame(
        { scopes, targets },
        { scopes: permission.scopes.filter(isScope), targets: permission.allApps ? null : permission.targets },
      ),
  );
  return found ? { id: found.role.id, name: found.role.name } : null;
}

/** Gives a role a permission for a selection of apps. */
export function grantAccess(tx: Db, roleId: string, { scopes, apps }: ChosenAccess): Promise<RolePermissionRow> {
  return createRolePermission(tx, { roleId, scopes, targets: targetsOf(apps) });
}

/** What the permissions of a role give in an environment, and where they hold. */
export interface RoleAccess {
  scopes: Scope[];
  sources: { place: "everywhere" | "app" | "environment"; scopes: Scope[] }[];
}

/**
 * The roles whose users can see an environment, by their IDs. SUPER_ADMIN needs no permissions. While the environment or its app is
 * inactive, only roles see it that can activate it.
 * @returns null if there is no such environment
 */
export async function rolesWithAccess(db: Db, environmentId: string): Promise<Map<string, RoleAccess> | null> {
  const environment = await db.environment.findUnique({
    where: { id: environmentId },
    select: { appId: true, status: true, app: { select: { status: true } } },
  });
  if (environment === null) return null;
  const { appId } = environment;
  const here = { appId, OR: [{ environmentId: null }, { environmentId }] };
  const [administrators, permissions] = await Promise.all([
    db.role.findFirstOrThrow({ where: { name: SUPER_ADMIN }, select: { id: true } }),
    db.rolePermission.findMany({
      where: { OR: [{ allApps: true }, { targets: { some: here } }] },
      include: { targets: { where: here, select: { environmentId: true } } },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }),
  ]);
  const isActive = environment.status === "active" && environment.app.status === "active";
  const access = new Map<string, RoleAccess>([[administrators.id, { scopes: [], sources: [] }]]);
  for (const [roleId, given] of Map.groupBy(permissions, (permission) => permission.roleId)) {
    const sources = given.map(({ allApps, scopes, targets }): RoleAccess["sources"][number] => ({
      place: allApps ? "everywhere" : targets.some((target) => target.environmentId === null) ? "app" : "environment",
      scopes: withImplied(scopes.filter(isScope)),
    }));
    const scopes = withImplied(sources.flatMap((source) => source.scopes));
    if (isActive ? scopes.length > 0 : scopes.includes("environment:write")) access.set(roleId, { scopes, sources });
  }
  return access;
}
