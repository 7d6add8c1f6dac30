/** The longest path that is followed, in UTF-16 code units. */
const MAX_PATH = 2_048;

/** Stands for the console while a path is resolved; no real host has this name (RFC 2606). */
const BASE = "https://console.invalid";

// Browsers read a backslash as a slash and leave tabs and line breaks out; neither has a place in a path of ours.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORBIDDEN = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]|%5c|%0[0-9a-f]|%1[0-9a-f]|%7f/i;

/**
 * The page of this console that a text from outside names, for the way back after the sign-in. Followed from any page
 * it stays within the console's origin.
 *
 * The text is resolved as browsers do (WHATWG URL Standard) and judged by the outcome: `/.//evil.example` looks like a
 * path and resolves to `//evil.example`.
 *
 * @param text what came with the request or from the browser's storage
 * @returns the normalised path with its query and fragment; null where the text is not a path, is the sign-in itself,
 *   or leads into the API
 */
export function safePath(text: unknown): string | null {
  if (typeof text !== "string" || text.length > MAX_PATH || !text.startsWith("/") || FORBIDDEN.test(text)) return null;
  if (!URL.canParse(text, BASE)) return null;
  const { origin, pathname, search, hash } = new URL(text, BASE);
  if (origin !== BASE || pathname.startsWith("//")) return null;
  if (pathname === "/" || pathname === "/api" || pathname.startsWith("/api/")) return null;
  return `${pathname}${search}${hash}`;
}
