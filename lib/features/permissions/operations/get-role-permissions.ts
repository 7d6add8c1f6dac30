import "server-only";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { listRolePermissions, toRolePermission } from "../data";
import { getRolePermissionsInput, rolePermissionSchema } from "../schema";

/** The permissions of all roles, newest first. */
export const getRolePermissions = defineQuery({
  area: "permissions",
  name: "get-role-permissions",
  summary: "List the permissions of all roles",
  access: "admin",
  input: getRolePermissionsInput,
  output: listOutput(rolePermissionSchema),
  errors: [],
  async handler({ input, db }) {
    const { rows, nextCursor, total } = await listRolePermissions(db, input);
    return { items: rows.map(toRolePermission), nextCursor, total };
  },
});
