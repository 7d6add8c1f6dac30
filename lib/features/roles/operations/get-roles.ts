import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { listRoles, toRole } from "../data";
import { getRolesInput, roleSchema } from "../schema";

async function list({ input, db }: { input: z.output<typeof getRolesInput>; db: Db }) {
  const { rows, nextCursor, total } = await listRoles(db, input);
  return { items: rows.map(toRole), nextCursor, total };
}

/** The roles, each with its number of users and permissions. */
export const getRoles = defineQuery({
  area: "config",
  name: "get-roles",
  summary: "List the roles",
  access: "admin",
  input: getRolesInput,
  output: listOutput(roleSchema),
  errors: [],
  handler: list,
  asFile: csvOf({
    fileName: "roles",
    columns: {
      id: (role) => role.id,
      name: (role) => role.name,
      superAdmin: (role) => role.superAdmin,
      userCount: (role) => role.userCount,
      permissionCount: (role) => role.permissionCount,
      createdAt: (role) => role.createdAt,
    },
    list,
  }),
});
