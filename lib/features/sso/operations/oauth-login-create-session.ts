import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { isProviderEnabled } from "@/lib/auth/providers";
import { beginSession } from "@/lib/auth/sessions";
import { redeemTicket } from "@/lib/auth/sso/ticket";
import { readTicketCookie } from "@/lib/auth/sso/ticket-cookie";
import { toUser, updateUser } from "@/lib/features/auth/data";
import { ApiError } from "@/lib/kernel/errors";
import { oauthLoginCreateSessionInput, ssoSignedInSchema } from "../schema";

/**
 * Turns a finished sign-in by a provider into a session: the state of its callback, together with the cookie that the
 * same browser was given, opens one, once and within a minute. A command-line tool sends the state that came to its
 * loopback address, and no cookie.
 */
export const oauthLoginCreateSession = defineCommand({
  area: "auth",
  name: "oauth-login-create-session",
  summary: "Begin a session with the state of a finished sign-in by a provider",
  access: "public",
  input: oauthLoginCreateSessionInput,
  output: ssoSignedInSchema,
  status: 200,
  errors: ["invalid_token", "invalid_credentials", "provider_not_configured"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  audit: { table: "Session", action: "sign-in" },
  async handler({ input, tx, request, session }) {
    const { binding, redirectTo } = readTicketCookie(request.headers);
    const userId = await redeemTicket(tx, { state: input.state, binding }, request.now);
    if (userId === null) throw new ApiError("invalid_token", { detailKey: "detailSso" });
    // Written to at once: whoever switches this person off meanwhile comes before or after, and ends the session then.
    const user = await updateUser(tx, userId, { lastSignInAt: request.now });
    // What held when the ticket was given may hold no more.
    if (user.status !== "active") throw new ApiError("invalid_credentials", { detailKey: "detailSso" });
    if (!(await isProviderEnabled(tx, user.provider)))
      throw new ApiError("provider_not_configured", { detailKey: "detailSso" });
    const begun = await beginSession(tx, {
      userId,
      method: "sso",
      now: request.now,
      ip: request.ip,
      userAgent: request.userAgent,
    });
    session.begin(begun);
    const shown = toUser(user);
    return {
      output: { user: shown, exp: begun.exp, twoFactorRequired: shown.twoFactorEnabled, redirectTo },
      audit: { recordId: begun.sessionId, changes: { provider: [null, user.provider] }, userId },
    };
  },
});
