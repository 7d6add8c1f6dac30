import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { endSession } from "@/lib/auth/sessions";

/** Ends the session, on every instance. */
export const logout = defineCommand({
  area: "auth",
  name: "logout",
  summary: "Sign out",
  access: "partial-session",
  input: z.strictObject({}),
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "Session", action: "sign-out" },
  async handler({ actor, tx, session }) {
    await endSession(tx, actor.sessionId);
    session.end();
    return { output: undefined, audit: { recordId: actor.sessionId, changes: {} } };
  },
});
