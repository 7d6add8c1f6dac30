import { safePath } from "./safe-path";

/** The maximum length of a URL, in UTF-16 code units. */
const MAX_URL = 2_048;

/** `http://<host>:<port>` exactly: no host name, no user and no other notation of the address. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]):[1-9]\d{0,4}(\/[\u0021-\u007e]*)?$/;

const IPV4 = "127.0.0.1";
/** The loopback addresses of both families, as URLs have them. */
export const LOOPBACK_HOSTS: readonly string[] = [IPV4, "[::1]"];

/**
 * Validates the loopback redirect URL of a command-line tool (RFC 8252, 7.3): plain HTTP, a loopback address and any port.
 *
 * @param text untrusted
 * @param hosts the addresses that are accepted; by default 127.0.0.1
 * @returns the normalized URL; null if the text is anything else
 */
export function loopbackUrl(text: unknown, hosts: readonly string[] = [IPV4]): string | null {
  if (typeof text !== "string" || text.length > MAX_URL || !LOOPBACK.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return hosts.includes(url.hostname) && url.hash === "" ? url.href : null;
}

/** Validates where a sign-in at a provider may redirect to: a page of this console or a command-line tool. @returns null if invalid */
export function safeRedirect(text: unknown): string | null {
  return safePath(text) ?? loopbackUrl(text);
}
