import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { listRolePermissions, toRolePermission } from "../data";
import { getRolePermissionsInput, type RolePermission, rolePermissionSchema } from "../schema";

async function list({ input, db }: { input: z.output<typeof getRolePermissionsInput>; db: Db }) {
  const { rows, nextCursor, total } = await listRolePermissions(db, input);
  return { items: rows.map(toRolePermission), nextCursor, total };
}

type App = Exclude<RolePermission["apps"], "all">[number];

/** The environments of an application, as `application/environment`. */
function placesOf({ name, environments }: App): string[] {
  return environments === "all" ? [`${name}/*`] : environments.map((environment) => `${name}/${environment.name}`);
}

/** The permissions of all roles, newest first. */
export const getRolePermissions = defineQuery({
  area: "permissions",
  name: "get-role-permissions",
  summary: "List the permissions of all roles",
  access: "admin",
  input: getRolePermissionsInput,
  output: listOutput(rolePermissionSchema),
  errors: [],
  handler: list,
  asFile: csvOf({
    fileName: "permissions",
    columns: {
      id: (permission) => permission.id,
      role: ({ role }) => role.name,
      scopes: ({ scopes }) => scopes,
      apps: ({ apps }) => (apps === "all" ? "*" : apps.map(({ name }) => name)),
      environments: ({ apps }) => (apps === "all" ? "*" : apps.flatMap(placesOf)),
      groups: ({ groups }) => groups.map(({ app, name }) => `${app.name}/${name}`),
      createdAt: ({ createdAt }) => createdAt,
    },
    list,
  }),
});
