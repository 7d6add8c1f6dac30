"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useSyncExternalStore } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** The page that explains how to serve the console over HTTPS. */

/**
 * Renders its children if the browser can encrypt a password. Over plain HTTP from another machine, browsers do not
 * offer cryptography (Secure Contexts, W3C), and a notice is shown instead.
 */
export function WithCryptography({ children }: { children: ReactNode }) {
  const t = useTranslations("auth.httpsNeeded");
  const available = useSyncExternalStore(
    () => () => {},
    () => window.isSecureContext && crypto.subtle !== undefined,
    () => true,
  );
  if (available) return children;
  return (
    <Alert
      tone="warning"
      title={t("title")}
      action={
        <Button asChild variant="secondary">
          <a href={PAGES.httpsGuide}>{t("guide")}</a>
        </Button>
      }
    >
      {t("description")}
    </Alert>
  );
}
