"use client";

import { Languages } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { LOCALE_COOKIE, LOCALE_NAMES, LOCALES, languageOf } from "@/lib/kernel/i18n/locales";
import { Menu } from "./menu";
import { setCookie } from "./set-cookie";

/** Selects the language. The choice is stored on this device and applies from the next response of the server on. */
export function LanguageSwitch() {
  const t = useTranslations("locale");
  const locale = languageOf(useLocale());
  const router = useRouter();
  const [switching, startSwitch] = useTransition();

  const choose = (chosen: string) => {
    setCookie(LOCALE_COOKIE, chosen);
    try {
      localStorage.setItem(LOCALE_COOKIE, chosen);
    } catch {
      // Storage may be blocked; only the cookie matters.
    }
    startSwitch(() => router.refresh());
  };

  return (
    <Menu
      align="end"
      sections={[
        {
          value: locale,
          onValueChange: choose,
          options: LOCALES.map((key) => ({ value: key, label: LOCALE_NAMES[key], lang: key })),
        },
      ]}
      trigger={
        <Button
          variant="ghost"
          size="icon"
          loading={switching}
          aria-label={`${t("label")}: ${LOCALE_NAMES[locale]}`}
          className="text-muted-foreground"
        >
          <Languages aria-hidden />
        </Button>
      }
    />
  );
}
