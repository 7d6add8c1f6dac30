import "server-only";
import { listOutput, orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { rolesWithAccess } from "@/lib/features/permissions/data";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import { SCOPES } from "@/lib/permissions/scopes";
import { listUsers, toAdministeredUser } from "../data";
import { environmentUserSchema, getEnvironmentUsersInput } from "../schema";

/** The active users who can see an environment, each with what the role gives there and by which permissions. */
export const getEnvironmentUsers = defineQuery({
  area: "apps",
  name: "get-environment-users",
  summary: "List the users who can see an environment",
  access: "admin",
  input: getEnvironmentUsersInput,
  output: listOutput(environmentUserSchema),
  errors: ["not_found"],
  async handler({ input, db }) {
    const { environmentId, ...list } = input;
    const access = orNotFound(await rolesWithAccess(db, environmentId));
    const { rows, ...page } = await listUsers(db, { ...list, status: "active" }, [...access.keys()]);
    const items = rows.map((row) => {
      const user = toAdministeredUser(row);
      const administers = user.role.name === SUPER_ADMIN;
      const given = access.get(user.role.id) ?? { scopes: [], sources: [] };
      return { ...user, ...given, ...(administers && { scopes: [...SCOPES] }), administers };
    });
    return { items, ...page };
  },
});
