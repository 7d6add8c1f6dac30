import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { groupsOfUser } from "@/lib/features/testers/data/groups";
import { findUser, toAdministeredUser } from "../data";
import { getUserInput, oneUserSchema } from "../schema";

/** One user, with the groups of testers that the user belongs to. */
export const getUser = defineQuery({
  area: "auth",
  name: "get-user",
  summary: "Read a user",
  access: "admin",
  input: getUserInput,
  output: oneUserSchema,
  errors: ["not_found"],
  async handler({ input, db }) {
    const user = orNotFound(await findUser(db, input.id));
    return { ...toAdministeredUser(user), groups: await groupsOfUser(db, user.id) };
  },
});
