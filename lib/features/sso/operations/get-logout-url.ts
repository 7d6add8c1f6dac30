import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { providerLogoutUrl } from "@/lib/auth/sso/sign-in";
import { providerOfSession } from "../data";
import { logoutUrlSchema } from "../schema";

/**
 * The address to open after logout, which ends the session of the provider that the session began with. Call it before
 * logout, because it needs the session.
 */
export const getLogoutUrl = defineQuery({
  area: "auth",
  name: "get-logout-url",
  summary: "Where to go on after logout, to sign out of the provider too; ask before logout",
  access: "partial-session",
  input: z.strictObject({}),
  output: logoutUrlSchema,
  errors: [],
  async handler({ actor, db }) {
    const provider = await providerOfSession(db, actor.sessionId);
    return { url: provider && (await providerLogoutUrl(db, provider)) };
  },
});
