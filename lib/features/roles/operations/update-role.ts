import "server-only";
import { requireExpected, requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { ApiError } from "@/lib/kernel/errors";
import { findRole, renameRole, toRole } from "../data";
import { isReservedName } from "../rules";
import { roleSchema, updateRoleInput } from "../schema";

/** Renames a role. Its users and permissions do not change. */
export const updateRole = defineCommand({
  area: "config",
  name: "update-role",
  summary: "Rename a role",
  access: "admin",
  input: updateRoleInput,
  output: roleSchema,
  status: 200,
  errors: ["not_found", "conflict", "role_reserved"],
  audit: { table: "Role", action: "update" },
  async handler({ input, tx }) {
    await lockRow(tx, "Role", input.id);
    const row = orNotFound(await findRole(tx, input.id));
    requireUnchanged(row, input.ifUpdatedAt);
    const before = toRole(row);
    requireExpected(before, input.expected);
    if (before.superAdmin || isReservedName(input.name)) throw new ApiError("role_reserved");
    const after = toRole(await renameRole(tx, input.id, input.name));
    return { output: after, audit: { recordId: input.id, changes: changesBetween(before, after) } };
  },
});
