import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { listSessions, toUserSession } from "../data";
import { userSessionSchema } from "../schema";

/** The caller's active sessions, newest first. */
export const getUserSessions = defineQuery({
  area: "auth",
  name: "get-user-sessions",
  summary: "List the caller’s own sessions",
  access: "user",
  input: z.strictObject({}),
  output: z.object({ items: z.array(userSessionSchema) }),
  errors: [],
  async handler({ actor, db, request }) {
    const rows = await listSessions(db, actor.userId, request.now);
    return { items: rows.map((row) => toUserSession(row, actor.sessionId)) };
  },
});
