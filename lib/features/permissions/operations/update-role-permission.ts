import "server-only";
import type { z } from "zod";
import { requireExpected, requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { isScope } from "@/lib/permissions/scopes";
import {
  lockPermissionOfRoles,
  type RolePermissionRow,
  replaceRolePermission,
  requireGroups,
  requireNewToRole,
  requirePlaces,
  toRolePermission,
} from "../data";
import { targetsOf } from "../rules";
import { type RolePermission, rolePermissionSchema, updateRolePermissionInput } from "../schema";

const facts = ({ role, scopes, apps, groups }: RolePermission) => ({ role, scopes, apps, groups });

/** The places or the groups of a permission after its change. */
function changedPlaces({ apps, groupIds }: z.output<typeof updateRolePermissionInput>, before: RolePermissionRow) {
  if (groupIds) return { targets: [], groupIds };
  if (apps) return { targets: targetsOf(apps), groupIds: [] };
  const { allApps, targets, groups } = before;
  return { targets: allApps ? null : targets, groupIds: groups.map(({ group }) => group.id) };
}

/** Changes the role, scopes, places or groups of a permission, from the next request on. */
export const updateRolePermission = defineCommand({
  area: "permissions",
  name: "update-role-permission",
  summary: "Change a permission",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: updateRolePermissionInput,
  output: rolePermissionSchema,
  status: 200,
  errors: ["not_found", "conflict"],
  audit: { table: "RolePermission", action: "update" },
  maxJsonBytes: 1024 * 1024,
  async handler({ input, tx }) {
    const before = orNotFound(await lockPermissionOfRoles(tx, input.id, input.roleId));
    requireUnchanged(before, input.ifUpdatedAt);
    requireExpected(toRolePermission(before), input.expected);
    const granted = {
      roleId: input.roleId ?? before.role.id,
      scopes: input.scopes ?? before.scopes.filter(isScope),
      ...changedPlaces(input, before),
    };
    if (input.apps) await requirePlaces(tx, input.apps);
    await requireGroups(tx, granted);
    await requireNewToRole(tx, granted, input.id);
    const updated = toRolePermission(await replaceRolePermission(tx, input.id, granted));
    return {
      output: updated,
      audit: { recordId: input.id, changes: changesBetween(facts(toRolePermission(before)), facts(updated)) },
    };
  },
});
