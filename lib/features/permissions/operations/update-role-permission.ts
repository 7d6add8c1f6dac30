import "server-only";
import { requireExpected } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { isScope } from "@/lib/permissions/scopes";
import { lockRolePermission, replaceRolePermission, requireNewToRole, requirePlaces, toRolePermission } from "../data";
import { targetsOf } from "../rules";
import { type RolePermission, rolePermissionSchema, updateRolePermissionInput } from "../schema";

const facts = ({ role, scopes, apps }: RolePermission) => ({ role, scopes, apps });

/** Changes the role, scopes or places of a permission, from the next request on. */
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
    const before = orNotFound(await lockRolePermission(tx, input.id));
    requireExpected(toRolePermission(before), input.expected);
    const granted = {
      roleId: input.roleId ?? before.role.id,
      scopes: input.scopes ?? before.scopes.filter(isScope),
      targets: input.apps ? targetsOf(input.apps) : before.allApps ? null : before.targets,
    };
    if (input.apps) await requirePlaces(tx, input.apps);
    await requireNewToRole(tx, granted, input.id);
    const updated = toRolePermission(await replaceRolePermission(tx, input.id, granted));
    return {
      output: updated,
      audit: { recordId: input.id, changes: changesBetween(facts(toRolePermission(before)), facts(updated)) },
    };
  },
});
