import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { endSessions, lockSession } from "@/lib/auth/sessions";
import { endSessionOf, findUser } from "../data";
import { deleteSessionsOfUserInput } from "../schema";

/** Ends a session of any user; without an ID, all of them except the caller's current one. */
export const deleteSessionsOfUser = defineCommand({
  area: "auth",
  name: "delete-sessions-of-user",
  summary: "End sessions of a user",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: deleteSessionsOfUserInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found"],
  audit: { table: "Session", action: "sign-out" },
  async handler({ actor, input: { userId, id }, tx, session }) {
    orNotFound(await findUser(tx, userId));
    if (id === undefined) {
      await endSessions(tx, userId, actor.sessionId);
      return {
        output: undefined,
        audit: { recordId: null, changes: { userId: [userId, null] }, action: "sign-out-elsewhere" },
      };
    }
    if (id === actor.sessionId) {
      await lockSession(tx, actor);
      session.end();
    }
    await endSessionOf(tx, userId, id);
    return { output: undefined, audit: { recordId: id, changes: { userId: [userId, null] } } };
  },
});
