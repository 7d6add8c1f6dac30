const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Stores a preference that the server needs for its first response (language, time zone, sidebar) for a year.
 *
 * @param name cookie name, a token of RFC 6265
 * @param value any text; it is percent-encoded
 * @returns whether the browser accepted the cookie
 */
export function setCookie(name: string, value: string): boolean {
  const pair = `${name}=${encodeURIComponent(value)}`;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing outside secure contexts
  document.cookie = `${pair}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; SameSite=Lax${secure}`;
  return document.cookie.split("; ").includes(pair);
}
