import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { endSessions, lockSession } from "@/lib/auth/sessions";
import { ownerOf } from "@/lib/permissions/actor";
import { endSession, sessionTarget } from "../data";
import { deleteUserSessionsInput } from "../schema";

/** Ends one of the caller's sessions; without an ID, all except the current one. */
export const deleteUserSessions = defineCommand({
  area: "auth",
  name: "delete-user-sessions",
  summary: "End other sessions of the caller",
  access: { own: "session" },
  input: deleteUserSessionsInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "Session", action: "sign-out" },
  async target({ id }, db, actor) {
    const isOwn = id === undefined || id === actor.sessionId;
    return isOwn ? { owner: ownerOf(actor) } : sessionTarget(db, id);
  },
  async handler({ actor, input, tx, session }) {
    if (input.id === undefined) {
      await endSessions(tx, actor.userId, actor.sessionId);
      return { output: undefined, audit: { recordId: null, changes: {}, action: "sign-out-elsewhere" } };
    }
    if (input.id === actor.sessionId) {
      await lockSession(tx, actor);
      session.end();
    }
    await endSession(tx, input.id);
    return { output: undefined, audit: { recordId: input.id, changes: {} } };
  },
});
