"use client";

import { Languages } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { LOCALE_NAMES, LOCALES, type Locale, languageOf } from "@/lib/kernel/i18n/locales";
import { Menu } from "./menu";
import { useChooseLocale } from "./use-choose-locale";

/** Selects the language. The choice is stored on this device and applies from the next response of the server on. */
export function LanguageSwitch() {
  const t = useTranslations("locale");
  const locale = languageOf(useLocale());
  const chooseLocale = useChooseLocale();
  const [switching, startSwitch] = useTransition();

  const choose = (chosen: string) => startSwitch(() => chooseLocale(chosen as Locale));

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
