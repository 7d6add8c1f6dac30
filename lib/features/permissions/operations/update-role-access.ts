import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { lockRow } from "@/lib/db/locks";
import { findRole } from "@/lib/features/roles/data";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import {
  type RolePermissionRow,
  replaceGrants,
  requireChangedPlaces,
  rolePermissionsOf,
  toGrant,
  toRolePermission,
} from "../data";
import { areAsExpected, changedAccess } from "../rules";
import { roleAccessSchema, updateRoleAccessInput } from "../schema";

const facts = (rows: readonly RolePermissionRow[]) =>
  rows.map(toRolePermission).map(({ scopes, apps, groups }) => ({ scopes, apps, groups }));

/**
 * Sets what a role may do in single places, all of them or none, from the next request on. The role's permissions are
 * regrouped: one for each set of scopes. Those for the releases of groups stay.
 */
export const updateRoleAccess = defineCommand({
  area: "permissions",
  name: "update-role-access",
  summary: "Set what a role may do in several places",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: updateRoleAccessInput,
  output: roleAccessSchema,
  status: 200,
  errors: ["not_found", "conflict"],
  audit: { table: "Role", action: "update-access" },
  maxJsonBytes: 512 * 1024,
  async handler({ input: { roleId, places }, tx }) {
    // Two changes of a role's access run in turn.
    await lockRow(tx, "Role", roleId);
    const role = orNotFound(await findRole(tx, roleId));
    if (role.name === SUPER_ADMIN) throw invalidField("roleId", "superAdminNeedsNone");
    await requireChangedPlaces(tx, places);
    const before = await rolePermissionsOf(tx, roleId);
    const inPlaces = before.filter(({ groups }) => groups.length === 0);
    const grants = inPlaces.map(toGrant);
    if (!areAsExpected(grants, places)) {
      throw new ApiError("conflict", { detailKey: "detailChanged", params: { field: "scopes" } });
    }
    await replaceGrants(tx, roleId, inPlaces, changedAccess(grants, places));
    const after = await rolePermissionsOf(tx, roleId);
    return {
      output: { permissions: after.map(toRolePermission) },
      audit: { recordId: roleId, changes: { access: [facts(before), facts(after)] } },
    };
  },
});
