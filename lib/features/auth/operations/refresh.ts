import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { slideSession } from "@/lib/auth/sessions";

/** Moves the session's end forward, never past its absolute limit. */
export const refresh = defineCommand({
  area: "auth",
  name: "refresh",
  summary: "Keep the session alive",
  access: "partial-session",
  input: z.strictObject({}),
  output: z.object({ exp: z.number().int() }),
  status: 200,
  errors: [],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "Session", action: "refresh" },
  async handler({ actor, tx, request }) {
    const exp = await slideSession(tx, actor.sessionId, request.now);
    return { output: { exp }, audit: { recordId: actor.sessionId, changes: {} } };
  },
});
