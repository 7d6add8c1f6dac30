import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { slideSession } from "@/lib/auth/sessions";
import { requireUserActor } from "@/lib/permissions/authorize";

/** Moves the session's end forward, never past its absolute limit. */
export const refresh = defineCommand({
  area: "auth",
  name: "refresh",
  summary: "Keep the session alive",
  access: "signing-in",
  input: z.strictObject({}),
  output: z.object({ exp: z.number().int() }),
  status: 200,
  errors: [],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "Session", action: "refresh" },
  async handler({ actor, tx, request }) {
    requireUserActor(actor);
    const exp = await slideSession(tx, actor.sessionId, request.now);
    return { output: { exp }, audit: { recordId: actor.sessionId, changes: {} } };
  },
});
