import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { providerLogoutUrl } from "@/lib/auth/sso/sign-in";
import { aside } from "@/lib/kernel/turns";
import { providerOfSession } from "../data";
import { logoutUrlSchema } from "../schema";

/**
 * The address to open after logout, which ends the session of the provider that the session began with. Call it before
 * logout, because it needs the session.
 */
export const getLogoutUrl = defineQuery({
  area: "auth",
  name: "get-logout-url",
  summary: "Get the address to open after the sign-out, to sign out of the provider too; call it before the sign-out",
  access: "partial-session",
  input: z.strictObject({}),
  output: logoutUrlSchema,
  errors: [],
  async handler({ actor, db }) {
    const provider = await providerOfSession(db, actor.sessionId);
    return { url: provider && (await aside(() => providerLogoutUrl(db, provider))) };
  },
});
