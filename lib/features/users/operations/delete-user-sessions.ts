import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { endSessions, lockSession } from "@/lib/auth/sessions";
import { ApiError } from "@/lib/kernel/errors";
import { endSessionOf } from "../data";
import { deleteUserSessionsInput } from "../schema";

/** Ends one of the caller's sessions; without an ID, all except the current one. */
export const deleteUserSessions = defineCommand({
  area: "auth",
  name: "delete-user-sessions",
  summary: "Sign out elsewhere",
  access: "user",
  input: deleteUserSessionsInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found"],
  audit: { table: "Session", action: "sign-out" },
  async handler({ actor, input, tx, session }) {
    if (input.id === undefined) {
      await endSessions(tx, actor.userId, actor.sessionId);
      return { output: undefined, audit: { recordId: null, changes: {}, action: "sign-out-elsewhere" } };
    }
    if (input.id === actor.sessionId) {
      await lockSession(tx, actor);
      session.end();
    }
    if (!(await endSessionOf(tx, actor.userId, input.id))) throw new ApiError("not_found");
    return { output: undefined, audit: { recordId: input.id, changes: {} } };
  },
});
