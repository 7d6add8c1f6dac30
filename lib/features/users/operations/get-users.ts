import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { listUsers, toAdministeredUser } from "../data";
import { administeredUserSchema, getUsersInput } from "../schema";

async function list({ input, db }: { input: z.output<typeof getUsersInput>; db: Db }) {
  const { rows, ...page } = await listUsers(db, input);
  return { items: rows.map(toAdministeredUser), ...page };
}

/** All users, active and inactive. Searched by names, e-mail and team. */
export const getUsers = defineQuery({
  area: "auth",
  name: "get-users",
  summary: "List the users",
  access: "admin",
  input: getUsersInput,
  output: listOutput(administeredUserSchema),
  errors: [],
  handler: list,
  asFile: csvOf({
    fileName: "users",
    columns: {
      id: (user) => user.id,
      firstNames: (user) => user.firstNames,
      lastNames: (user) => user.lastNames,
      email: (user) => user.email,
      team: (user) => user.team,
      role: (user) => user.role.name,
      provider: (user) => user.provider,
      status: (user) => user.status,
      twoFactorEnabled: (user) => user.twoFactorEnabled,
      createdAt: (user) => user.createdAt,
      lastSignInAt: (user) => user.lastSignInAt,
    },
    list,
  }),
});
