import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { FORMAT_LOCALES, LOCALE_COOKIE, TIME_ZONE_COOKIE } from "./locales";
import { negotiateLocale, negotiateTimeZone } from "./negotiate";
import { messagesFor } from "./translator";

/** Configures next-intl for a request: language, texts, time zone and the time that server and browser render with. */
export default getRequestConfig(async () => {
  const [cookieStore, headerStore] = await Promise.all([cookies(), headers()]);
  const locale = negotiateLocale(cookieStore.get(LOCALE_COOKIE)?.value, headerStore.get("accept-language"));
  return {
    locale: FORMAT_LOCALES[locale],
    messages: messagesFor(locale),
    timeZone: negotiateTimeZone(cookieStore.get(TIME_ZONE_COOKIE)?.value),
    now: new Date(),
  };
});
