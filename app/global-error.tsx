"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { CrashPageProps } from "@/components/common/shell/crash-page";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { negotiateLocale } from "@/lib/kernel/i18n/negotiate";
import type { Messages } from "@/lib/kernel/i18n/translator";
import "./globals.css";

/** With a connection, a page that fails sooner after it was loaded is not loaded again, because it might do so forever. */
const SHORTEST_LIFE_MS = 10_000;

type Loaded = { CrashPage: ComponentType<CrashPageProps>; locale: Locale; messages: Messages };

/**
 * Replaces the root layout after a failure in it, so it renders its own document and loads its own texts. Its content is
 * loaded with the texts, because every page contains this file. Without a connection, the page is loaded again, which shows the offline
 * page.
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
      () => {
        if (shown && (!navigator.onLine || performance.now() > SHORTEST_LIFE_MS)) location.reload();
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
