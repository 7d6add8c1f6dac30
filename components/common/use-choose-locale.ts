"use client";

import { useRouter } from "next/navigation";
import { LOCALE_COOKIE, type Locale } from "@/lib/kernel/i18n/locales";
import { setCookie } from "./set-cookie";

/** Stores the language on this device and loads the page again in it. */
export function useChooseLocale(): (locale: Locale) => void {
  const router = useRouter();
  return (locale) => {
    setCookie(LOCALE_COOKIE, locale);
    try {
      localStorage.setItem(LOCALE_COOKIE, locale);
    } catch {
      // Storage may be blocked; only the cookie matters.
    }
    router.refresh();
  };
}
