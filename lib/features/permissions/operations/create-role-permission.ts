import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import {
  createRolePermission as insert,
  requireGroups,
  requireNewToRole,
  requirePlaces,
  toRolePermission,
} from "../data";
import { targetsOf } from "../rules";
import { createRolePermissionInput, rolePermissionSchema } from "../schema";

/** Gives a role scopes in all apps, in whole apps, in single environments or for the releases of groups, from the next request on. */
export const createRolePermission = defineCommand({
  area: "permissions",
  name: "create-role-permission",
  summary: "Add a permission to a role",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: createRolePermissionInput,
  output: rolePermissionSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "RolePermission", action: "create" },
  maxJsonBytes: 1024 * 1024,
  async handler({ input, tx }) {
    const { roleId, scopes, apps, groupIds = [] } = input;
    const granted = { roleId, scopes, targets: groupIds.length > 0 ? [] : targetsOf(apps), groupIds };
    await requirePlaces(tx, apps);
    await requireGroups(tx, granted);
    await requireNewToRole(tx, granted);
    const created = toRolePermission(await insert(tx, granted));
    const { role, groups } = created;
    return {
      output: created,
      audit: {
        recordId: created.id,
        changes: changesBetween(null, { role, scopes: created.scopes, apps: created.apps, groups }),
      },
    };
  },
});
