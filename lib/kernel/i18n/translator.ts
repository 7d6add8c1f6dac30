// Not from next-intl, whose module loads its components: scripts and commands run without a React that has what these need.

import { createTranslator } from "use-intl/core";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import es from "@/messages/es.json";
import fr from "@/messages/fr.json";
import it from "@/messages/it.json";
import pt from "@/messages/pt.json";
import { FORMAT_LOCALES, type Locale } from "./locales";

/** The type of a message file. Spanish, the default language, is the reference. */
export type Messages = typeof es;

const MESSAGES: Record<Locale, Messages> = { es, en, de, fr, it, pt };

/** Returns all texts of a language. Only for the server: browsers receive parts of them, see `client-messages.ts`. */
export function messagesFor(locale: Locale): Messages {
  return MESSAGES[locale];
}

function createLocaleTranslator(locale: Locale) {
  return createTranslator({ locale: FORMAT_LOCALES[locale], messages: MESSAGES[locale], timeZone: "UTC" });
}

/** Translates a full key (`common.save`) with its ICU arguments into one language. */
export type AppTranslator = ReturnType<typeof createLocaleTranslator>;

/** A translator for keys that are built from values, which the compiler cannot check. */
export type LooseTranslator = (key: string, values?: Record<string, string | number>) => string;

const translators = new Map<Locale, AppTranslator>();

/**
 * Returns the translator of a language for use outside React: problem details, mail, jobs, scripts. The compiler checks keys
 * against `messages/es.json`. Dates are formatted in UTC.
 */
export function translatorFor(locale: Locale): AppTranslator {
  let translator = translators.get(locale);
  if (!translator) {
    translator = createLocaleTranslator(locale);
    translators.set(locale, translator);
  }
  return translator;
}
