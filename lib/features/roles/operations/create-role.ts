import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { createRole as insert, toRole } from "../data";
import { isReservedName } from "../rules";
import { createRoleInput, roleSchema } from "../schema";

/** Adds a role. It has no access until it is given a permission. */
export const createRole = defineCommand({
  area: "config",
  name: "create-role",
  summary: "Add a role",
  access: "admin",
  input: createRoleInput,
  output: roleSchema,
  status: 201,
  errors: ["conflict", "role_reserved"],
  audit: { table: "Role", action: "create" },
  async handler({ input, tx }) {
    if (isReservedName(input.name)) throw new ApiError("role_reserved");
    const created = await insert(tx, { id: newId(), ...input });
    return { output: toRole(created), audit: { recordId: created.id, changes: changesBetween(null, input) } };
  },
});
