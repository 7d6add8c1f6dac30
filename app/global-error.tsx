"use client";

import { TriangleAlert } from "lucide-react";
import { createTranslator } from "next-intl";
import { useEffect, useState } from "react";
import { MessagePage } from "@/components/common/shell/message-page";
import { Button } from "@/components/ui/button";
import { FORMAT_LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
import { negotiateLocale } from "@/lib/kernel/i18n/negotiate";
import type { Messages } from "@/lib/kernel/i18n/translator";
import "./globals.css";

type Texts = { locale: Locale; messages: Messages };

/** Replaces the root layout after a failure in it, so it renders its own document and loads its own texts. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  const [texts, setTexts] = useState<Texts | null>(null);

  useEffect(() => {
    const chosen = document.cookie.split("; ").find((pair) => pair.startsWith("locale="));
    const locale = negotiateLocale(chosen?.slice("locale=".length), navigator.languages.join(","));
    let shown = true;
    import(`@/messages/${locale}.json`).then((file: { default: Messages }) => {
      if (shown) setTexts({ locale, messages: file.default });
    });
    return () => {
      shown = false;
    };
  }, []);

  const t = texts && createTranslator({ ...texts, locale: FORMAT_LOCALES[texts.locale] });
  return (
    <html lang={texts?.locale}>
      <body>
        {t && (
          <MessagePage
            icon={<TriangleAlert />}
            title={t("shell.crash.title")}
            description={t("shell.crash.description")}
          >
            <Button onClick={retry}>{t("common.retry")}</Button>
          </MessagePage>
        )}
      </body>
    </html>
  );
}
