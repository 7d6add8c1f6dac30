import { DEFAULT_LOCALE, isLocale, type Locale } from "./locales";

/** Ranges of an `Accept-Language` header that are looked at; longer lists come from no browser. */
const MAX_RANGES = 20;

/**
 * Chooses the language of an answer.
 *
 * @param cookie value of the `locale` cookie, if any; wins when it names one of the six languages
 * @param acceptLanguage value of the `Accept-Language` header, if any; matched by the lookup scheme of
 *   RFC 4647 §3.4 (`pt-BR` finds `pt`), in the order of the quality values of RFC 9110 §12.5.4
 * @param fallback the language where the header is missing, is `*` or names none of the six
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
 * Gives back `value` when it is an IANA time zone known to this runtime, else `UTC`.
 *
 * @param value value of the `timezone` cookie, if any
 */
export function negotiateTimeZone(value: string | null | undefined): string {
  if (!value || value.length > 64) return "UTC";
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    // As it came: runtimes differ in which of two names of a zone they call the right one.
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
