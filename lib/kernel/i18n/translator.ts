import { createTranslator } from "next-intl";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import es from "@/messages/es.json";
import fr from "@/messages/fr.json";
import it from "@/messages/it.json";
import pt from "@/messages/pt.json";
import { FORMAT_LOCALES, type Locale } from "./locales";

/** The shape of every message file; Spanish, the default language, is the reference. */
export type Messages = typeof es;

const MESSAGES: Record<Locale, Messages> = { es, en, de, fr, it, pt };

/** All texts of one language. For the server alone: a browser gets only its own language. */
export function messagesFor(locale: Locale): Messages {
  return MESSAGES[locale];
}

function makeTranslator(locale: Locale) {
  return createTranslator({ locale: FORMAT_LOCALES[locale], messages: MESSAGES[locale], timeZone: "UTC" });
}

/** Translates a full key (`common.save`) with its ICU arguments into one language. */
export type AppTranslator = ReturnType<typeof makeTranslator>;

const translators = new Map<Locale, AppTranslator>();

/**
 * Gives the translator of one language for use outside React: problem details, mail, jobs, scripts.
 * Keys are checked by the compiler against `messages/es.json`. Dates are formatted in UTC.
 *
 * @param locale one of the six languages
 */
export function translatorFor(locale: Locale): AppTranslator {
  let translator = translators.get(locale);
  if (!translator) {
    translator = makeTranslator(locale);
    translators.set(locale, translator);
  }
  return translator;
}
