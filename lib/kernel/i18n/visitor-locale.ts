import "server-only";
import { cookies, headers } from "next/headers";
import { LOCALE_COOKIE, type Locale } from "./locales";
import { negotiateLocale } from "./negotiate";

/**
 * The language of a text for people whom the console does not know, on the page that is being rendered: English if their browser asks for
 * none of the console's, and not the default language of the console.
 */
export async function visitorLocale(): Promise<Locale> {
  const [cookieStore, headerStore] = await Promise.all([cookies(), headers()]);
  return negotiateLocale(cookieStore.get(LOCALE_COOKIE)?.value, headerStore.get("accept-language"), "en");
}
