import { DEFAULT_LOCALE, isLocale, type Locale } from "./locales";

/** The number of language ranges of an `Accept-Language` header that are read. */
const MAX_RANGES = 20;

/**
 * Chooses the language of a response.
 *
 * @param cookie value of the `locale` cookie, if any; takes precedence if it is a supported language
 * @param acceptLanguage value of the `Accept-Language` header, if any; matched by lookup (RFC 4647, 3.4: `pt-BR` matches
 *   `pt`), in the order of the quality values (RFC 9110, 12.5.4)
 * @param fallback the language if the header is missing, is `*` or has no supported language
 */
export function negotiateLocale(
  cookie: string | null | undefined,
  acceptLanguage: string | null | undefined,
  fallback: Locale = DEFAULT_LOCALE,
): Locale {
  if (isLocale(cookie)) return cookie;
  for (const range of rangesByPreference(acceptLanguage ?? "")) {
    if (range === "*") return fallback;
    const primary = range.split("-", 1)[0];
    if (isLocale(primary)) return primary;
  }
  return fallback;
}

/**
 * Returns `value` if it is an IANA time zone that the runtime supports, else `UTC`.
 *
 * @param value value of the `timezone` cookie, if any
 */
export function negotiateTimeZone(value: string | null | undefined): string {
  if (!value || value.length > 64) return "UTC";
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    // Returned unchanged, because runtimes differ in the canonical names of time zones.
    return value;
  } catch {
    return "UTC";
  }
}

function rangesByPreference(header: string): string[] {
  return header
    .split(",", MAX_RANGES)
    .map((part) => {
      const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      const weight = quality === undefined ? 1 : Number(quality.slice(2));
      return { range, weight };
    })
    .filter(({ range, weight }) => range !== "" && weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range);
}
