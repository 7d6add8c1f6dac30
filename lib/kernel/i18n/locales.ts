/** The languages of the console, as BCP 47 tags. */
export const LOCALES = ["es", "en", "de", "fr", "it", "pt"] as const;

export type Locale = (typeof LOCALES)[number];

export const DEFAULT_LOCALE: Locale = "es";

/**
 * The locales with which `Intl` formats dates, numbers and plurals. `pt` would format as in Brazil; the texts are for
 * Portugal and Brazil.
 */
export const FORMAT_LOCALES = {
  es: "es",
  en: "en",
  de: "de",
  fr: "fr",
  it: "it",
  pt: "pt-PT",
} as const satisfies Record<Locale, string>;

export type FormatLocale = (typeof FORMAT_LOCALES)[Locale];

/** Returns the language of a locale of `FORMAT_LOCALES`. */
export function languageOf(formatLocale: FormatLocale): Locale {
  return formatLocale === "pt-PT" ? "pt" : formatLocale;
}

/** Name of the cookie and the local storage item with the language that the user chose. */
export const LOCALE_COOKIE = "locale";

/** Name of the cookie with the browser's IANA time zone, so that the server renders the same dates. */
export const TIME_ZONE_COOKIE = "timezone";

/** The name of each language in that language. */
export const LOCALE_NAMES: Record<Locale, string> = {
  es: "Español",
  en: "English",
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  pt: "Português",
};

/** Returns whether `value` is one of the six languages. */
export function isLocale(value: unknown): value is Locale {
  return typeof value === "string" && (LOCALES as readonly string[]).includes(value);
}
