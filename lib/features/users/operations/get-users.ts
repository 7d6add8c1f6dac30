import "server-only";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { listUsers, toAdministeredUser } from "../data";
import { administeredUserSchema, getUsersInput } from "../schema";

/** All users, active and inactive. Searched by names, e-mail and team. */
export const getUsers = defineQuery({
  area: "auth",
  name: "get-users",
  summary: "List the users",
  access: "admin",
  input: getUsersInput,
  output: listOutput(administeredUserSchema),
  errors: [],
  async handler({ input, db }) {
    const { rows, ...page } = await listUsers(db, input);
    return { items: rows.map(toAdministeredUser), ...page };
  },
});
