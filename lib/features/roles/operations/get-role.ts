import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { findRole, toRole } from "../data";
import { getRoleInput, roleSchema } from "../schema";

/** One role, with the number of its users and permissions. */
export const getRole = defineQuery({
  area: "config",
  name: "get-role",
  summary: "Get a role",
  access: "admin",
  input: getRoleInput,
  output: roleSchema,
  errors: ["not_found"],
  async handler({ input: { id }, db }) {
    return toRole(orNotFound(await findRole(db, id)));
  },
});
