"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { CrashPageProps } from "@/components/common/shell/crash-page";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { negotiateLocale } from "@/lib/kernel/i18n/negotiate";
import type { Messages } from "@/lib/kernel/i18n/translator";
import "./globals.css";

type Loaded = { CrashPage: ComponentType<CrashPageProps>; locale: Locale; messages: Messages };

/**
 * Replaces the root layout after a failure in it, so it renders its own document and loads its own texts. Its content is
 * loaded with the texts, because every page contains this file.
 */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);

  useEffect(() => {
    const chosen = document.cookie.split("; ").find((pair) => pair.startsWith("locale="));
    const locale = negotiateLocale(chosen?.slice("locale=".length), navigator.languages.join(","));
    let shown = true;
    Promise.all([import("@/components/common/shell/crash-page"), import(`@/messages/${locale}.json`)]).then(
      ([{ CrashPage }, file]: [{ CrashPage: Loaded["CrashPage"] }, { default: Messages }]) => {
        if (shown) setLoaded({ CrashPage, locale, messages: file.default });
      },
    );
    return () => {
      shown = false;
    };
  }, []);

  return (
    <html lang={loaded?.locale}>
      <body>{loaded && <loaded.CrashPage locale={loaded.locale} messages={loaded.messages} onRetry={retry} />}</body>
    </html>
  );
}
