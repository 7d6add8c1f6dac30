const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Stores a preference that the server needs for its first response (language, time zone, sidebar).
 *
 * @param name cookie name, a token of RFC 6265
 * @param value any text; it is percent-encoded
 * @param maxAgeSeconds how long it is stored; a year by default
 * @returns whether the browser accepted the cookie
 */
export function setCookie(name: string, value: string, maxAgeSeconds = ONE_YEAR_SECONDS): boolean {
  const pair = `${name}=${encodeURIComponent(value)}`;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing outside secure contexts
  document.cookie = `${pair}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
  return document.cookie.split("; ").includes(pair);
}
