import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { providerLogoutUrl } from "@/lib/auth/sso/sign-in";
import { providerOfSession } from "../data";
import { logoutUrlSchema } from "../schema";

/**
 * Where a browser goes on after it has signed out here, so that the provider by which the session began ends its own
 * session too. Asked before logout, which leaves no session to ask with.
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
