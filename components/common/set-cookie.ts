const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Keeps a preference that the server needs for its first answer (language, time zone, sidebar) for a year.
 *
 * @param name cookie name, a token of RFC 6265
 * @param value any text; it is percent-encoded
 * @returns whether the browser took the cookie
 */
export function setCookie(name: string, value: string): boolean {
  const pair = `${name}=${encodeURIComponent(value)}`;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing outside secure contexts
  document.cookie = `${pair}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; SameSite=Lax${secure}`;
  return document.cookie.split("; ").includes(pair);
}
