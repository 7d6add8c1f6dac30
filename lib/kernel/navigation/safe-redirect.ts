import { safePath } from "./safe-path";

/** The longest address that is followed, in UTF-16 code units. */
const MAX_URL = 2_048;

/** Up to the end of the port nothing may vary: no name, no user, no other spelling of the address. */
const LOOPBACK = /^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}(\/[\u0021-\u007e]*)?$/;

/**
 * The address at which a command-line tool waits on the person's own machine (RFC 8252, 7.3): plain HTTP, the loopback
 * address itself and any port.
 *
 * @param text what came with the request
 * @returns the normalised address; null where it is another
 */
export function loopbackUrl(text: unknown): string | null {
  if (typeof text !== "string" || text.length > MAX_URL || !LOOPBACK.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname === "127.0.0.1" && url.hash === "" ? url.href : null;
}

/** Where a sign-in elsewhere may end: at a page of this console, or with a command-line tool. */
export function safeRedirect(text: unknown): string | null {
  return safePath(text) ?? loopbackUrl(text);
}
