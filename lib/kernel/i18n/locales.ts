/** The languages of the interface, as BCP 47 tags; the first one is the default and the fallback. */
export const LOCALES = ["es", "en", "de", "fr", "it", "pt"] as const;

export type Locale = (typeof LOCALES)[number];

export const DEFAULT_LOCALE: Locale = "es";

/**
 * The tag that `Intl` formats dates, numbers and plurals by. A language's own tag stands for its most spoken variety: `pt`
 * would be written as in Brazil, and the texts are European Portuguese.
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

/** The language of the interface that a tag of `FORMAT_LOCALES` belongs to. */
export function languageOf(formatLocale: FormatLocale): Locale {
  return formatLocale === "pt-PT" ? "pt" : formatLocale;
}

/** Cookie (and local storage key) that keeps the language a person chose. */
export const LOCALE_COOKIE = "locale";

/** Cookie that tells the server the browser's IANA time zone, so that both render the same dates. */
export const TIME_ZONE_COOKIE = "timezone";

/** Each language's own name for itself. */
export const LOCALE_NAMES: Record<Locale, string> = {
  es: "Español",
  en: "English",
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  pt: "Português",
};

/** Tells whether `value` is one of the six languages. */
export function isLocale(value: unknown): value is Locale {
  return typeof value === "string" && (LOCALES as readonly string[]).includes(value);
}
