import "server-only";
import { cookieName, hostCookie } from "@/lib/http/cookies";
import { cookieValue } from "@/lib/http/request-facts";
import { safePath } from "@/lib/kernel/navigation/safe-path";
import { TOKEN_LIFETIME_SECONDS } from "../one-time-tokens";

/** Occurs in neither half: both are base64url. */
const SEPARATOR = ".";

const TICKET_COOKIE = "slipway-sso-ticket";

/**
 * A Set-Cookie value with the binding of a ticket and the page to open after the sign-in.
 * @param redirectTo a path of this console; null for the start page
 */
export function ticketCookie(binding: string, redirectTo: string | null): string {
  const value = `${binding}${SEPARATOR}${Buffer.from(redirectTo ?? "").toString("base64url")}`;
  return hostCookie(TICKET_COOKIE, value, { sameSite: "Strict", lifetime: `Max-Age=${TOKEN_LIFETIME_SECONDS.sso}` });
}

/** Reads the cookie. `binding` is null if there is none, as for a command-line tool. */
export function readTicketCookie(headers: Headers): { binding: string | null; redirectTo: string | null } {
  const [binding, redirectTo] = (cookieValue(headers, cookieName(TICKET_COOKIE)) ?? "").split(SEPARATOR);
  return { binding: binding || null, redirectTo: safePath(Buffer.from(redirectTo ?? "", "base64url").toString()) };
}
