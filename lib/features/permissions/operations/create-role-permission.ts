import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { createRolePermission as insert, requireNewToRole, requirePlaces, toRolePermission } from "../data";
import { targetsOf } from "../rules";
import { createRolePermissionInput, rolePermissionSchema } from "../schema";

/** Gives a role scopes in all apps, in whole apps or in single environments, from the next request on. */
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
    const { roleId, scopes, apps } = input;
    const granted = { roleId, scopes, targets: targetsOf(apps) };
    await requirePlaces(tx, apps);
    await requireNewToRole(tx, granted);
    const created = toRolePermission(await insert(tx, granted));
    const { role } = created;
    return {
      output: created,
      audit: {
        recordId: created.id,
        changes: changesBetween(null, { role, scopes: created.scopes, apps: created.apps }),
      },
    };
  },
});
