import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { findUser, listSessions, toUserSession } from "../data";
import { getSessionsOfUserInput, userSessionSchema } from "../schema";

/** The active sessions of any user, newest first. */
export const getSessionsOfUser = defineQuery({
  area: "auth",
  name: "get-sessions-of-user",
  summary: "List the sessions of a user",
  access: "admin",
  input: getSessionsOfUserInput,
  output: z.object({ items: z.array(userSessionSchema) }),
  errors: ["not_found"],
  async handler({ actor, input, db, request }) {
    orNotFound(await findUser(db, input.userId));
    const rows = await listSessions(db, input.userId, request.now);
    return { items: rows.map((row) => toUserSession(row, actor.sessionId)) };
  },
});
