import "server-only";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { listRoles, toRole } from "../data";
import { getRolesInput, roleSchema } from "../schema";

/** The roles, each with its number of users and permissions. */
export const getRoles = defineQuery({
  area: "config",
  name: "get-roles",
  summary: "List the roles",
  access: "admin",
  input: getRolesInput,
  output: listOutput(roleSchema),
  errors: [],
  async handler({ input, db }) {
    const { rows, nextCursor, total } = await listRoles(db, input);
    return { items: rows.map(toRole), nextCursor, total };
  },
});
