import "server-only";
import { z } from "zod";
import { requireExpected } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRolePermission, deleteRolePermission as remove, toRolePermission } from "../data";
import { deleteRolePermissionInput } from "../schema";

/** Deletes a permission. Scopes that only this permission gave are refused from the next request on. */
export const deleteRolePermission = defineCommand({
  area: "permissions",
  name: "delete-role-permission",
  summary: "Remove a permission from its role",
  access: "admin",
  input: deleteRolePermissionInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found", "conflict"],
  audit: { table: "RolePermission", action: "delete" },
  async handler({ input, tx }) {
    const before = toRolePermission(orNotFound(await lockRolePermission(tx, input.id)));
    requireExpected(before, input.expected);
    const { role, scopes, apps, groups } = before;
    await remove(tx, input.id);
    return {
      output: undefined,
      audit: { recordId: input.id, changes: changesBetween({ role, scopes, apps, groups }, null) },
    };
  },
});
