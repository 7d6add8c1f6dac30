import "server-only";
import { defineCommand } from "@/lib/api/operation";
import type { Changes } from "@/lib/audit/write";
import { isProviderEnabled } from "@/lib/auth/providers";
import { redeemTicket } from "@/lib/auth/sso/ticket";
import { readTicketCookie } from "@/lib/auth/sso/ticket-cookie";
import { beginSession, recordSignIn } from "@/lib/features/auth/data";
import { isFromPage } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import { oauthLoginCreateSessionInput, ssoSignedInSchema } from "../schema";

/**
 * Begins a session with the one-time ticket of a sign-in that a provider has confirmed. A browser sends the state of the
 * callback and the cookie that it was given with it. A command-line tool sends the state that came to its loopback
 * address, and no cookie; no page of a browser can redeem that state.
 */
export const oauthLoginCreateSession = defineCommand({
  area: "auth",
  name: "oauth-login-create-session",
  summary: "Begin a session with the state of a finished sign-in with a provider",
  access: "public",
  signsIn: true,
  input: oauthLoginCreateSessionInput,
  output: ssoSignedInSchema,
  status: 200,
  errors: ["invalid_token", "invalid_credentials", "provider_not_configured"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  audit: { table: "Session", action: "sign-in" },
  async handler(context) {
    const { input, tx, request } = context;
    const { binding, redirectTo } = readTicketCookie(request.headers);
    const byBrowser = isFromPage(request.headers);
    const userId = await redeemTicket(tx, { state: input.state, binding, byBrowser }, request.now);
    if (userId === null) throw new ApiError("invalid_token", { detailKey: "detailSso" });
    // The user or the provider may have been switched off since the ticket was issued.
    const user = await recordSignIn(tx, { userId, at: request.now });
    if (user === null) throw new ApiError("invalid_credentials", { detailKey: "detailSso" });
    if (!(await isProviderEnabled(tx, user.provider)))
      throw new ApiError("provider_not_configured", { detailKey: "detailSso" });
    const changes = { provider: [null, user.provider] } satisfies Changes;
    const { output, audit } = await beginSession(context, { user, method: "sso", changes });
    return { output: { ...output, redirectTo }, audit };
  },
});
