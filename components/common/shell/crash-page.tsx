import { TriangleAlert } from "lucide-react";
import { createTranslator } from "next-intl";
import { Button } from "@/components/ui/button";
import { FORMAT_LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
import type { Messages } from "@/lib/kernel/i18n/translator";
import { MessagePage } from "./message-page";

export type CrashPageProps = { locale: Locale; messages: Messages; onRetry: () => void };

/** Says that the whole page failed, without the providers of the root layout. */
export function CrashPage({ locale, messages, onRetry }: CrashPageProps) {
  const t = createTranslator({ messages, locale: FORMAT_LOCALES[locale] });
  return (
    <MessagePage icon={<TriangleAlert />} title={t("shell.crash.title")} description={t("shell.crash.description")}>
      <Button onClick={onRetry}>{t("common.retry")}</Button>
    </MessagePage>
  );
}
