/** The maximum length of a path, in UTF-16 code units. */
const MAX_PATH = 2_048;

/** The base URL for resolving a path. No real host has this name (RFC 2606). */
const BASE = "https://console.invalid";

// Browsers treat a backslash as a slash and remove tabs and line breaks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const FORBIDDEN = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]|%5c|%0[0-9a-f]|%1[0-9a-f]|%7f/i;

/**
 * Validates a path to redirect to after the sign-in, so that the redirect stays within the console's origin.
 *
 * The text is resolved as browsers do (WHATWG URL Standard) and the result is checked: `/.//evil.example` looks like a path
 * but resolves to `//evil.example`.
 *
 * @param text untrusted, from a request or the browser's storage
 * @returns the normalized path with its query and fragment; null if the text is not a path, or is that of the sign-in page or
 *   the API
 */
export function safePath(text: unknown): string | null {
  if (typeof text !== "string" || text.length > MAX_PATH || !text.startsWith("/") || FORBIDDEN.test(text)) return null;
  if (!URL.canParse(text, BASE)) return null;
  const { origin, pathname, search, hash } = new URL(text, BASE);
  if (origin !== BASE || pathname.startsWith("//")) return null;
  if (pathname === "/" || pathname === "/api" || pathname.startsWith("/api/")) return null;
  return `${pathname}${search}${hash}`;
}
