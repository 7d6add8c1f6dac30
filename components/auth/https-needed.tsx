"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useSyncExternalStore } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

/** The page that explains how to serve the console over HTTPS. */
const GUIDE_PATH = "/https-guide";

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
          <a href={GUIDE_PATH}>{t("guide")}</a>
        </Button>
      }
    >
      {t("description")}
    </Alert>
  );
}
