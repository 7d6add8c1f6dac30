"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useSyncExternalStore } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

/** Where it is told how the console is put behind HTTPS. */
const GUIDE_PATH = "/https-guide";

/**
 * Shows its children where the browser can encrypt a password. Over plain HTTP from another machine browsers offer no
 * cryptography (Secure Contexts, W3C), and it says so in their place.
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
