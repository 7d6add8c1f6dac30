import "server-only";
import { listOutput, orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { findRole } from "@/lib/features/roles/data";
import { listRolePermissions, toRolePermission } from "../data";
import { getRolePermissionsByRoleIdInput, rolePermissionSchema } from "../schema";

/** The permissions of one role. SUPER_ADMIN has none, because it holds every scope everywhere. */
export const getRolePermissionsByRoleId = defineQuery({
  area: "permissions",
  name: "get-role-permissions-by-role-id",
  summary: "List the permissions of a role",
  access: "admin",
  input: getRolePermissionsByRoleIdInput,
  output: listOutput(rolePermissionSchema),
  errors: ["not_found"],
  async handler({ input, db }) {
    orNotFound(await findRole(db, input.roleId));
    const { rows, nextCursor, total } = await listRolePermissions(db, input);
    return { items: rows.map(toRolePermission), nextCursor, total };
  },
});
