"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

/** Long enough for a phone that has just joined the network. */
const TIMEOUT_MS = 10_000;

/** Whether this browser opens the console over HTTPS without a warning. */
async function trusts(url: string): Promise<boolean> {
  try {
    // Opaque, since the page may have been opened over plain HTTP; a certificate that is not trusted fails it.
    await fetch(`${url}/api/health/live`, {
      mode: "no-cors",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return true;
  } catch {
    return false;
  }
}

/** Checks whether this browser trusts the console, also when the user returns from the settings of the device. */
export function TrustCheck({ url }: { url: string }) {
  const t = useTranslations("trust");
  const [trusted, setTrusted] = useState<boolean | null>(null);
  const check = useCallback(() => void trusts(url).then(setTrusted), [url]);

  useEffect(() => {
    const checkIfVisible = () => {
      if (document.visibilityState === "visible") check();
    };
    checkIfVisible();
    document.addEventListener("visibilitychange", checkIfVisible);
    return () => document.removeEventListener("visibilitychange", checkIfVisible);
  }, [check]);

  if (trusted === null) return null;
  if (!trusted) {
    return (
      <Alert
        tone="info"
        title={t("untrusted")}
        action={
          <Button variant="secondary" onClick={check}>
            {t("check")}
          </Button>
        }
      >
        {t("untrustedHint")}
      </Alert>
    );
  }
  return (
    <Alert
      tone="success"
      title={t("trusted")}
      action={
        <Button asChild>
          <a href={url}>{t("open")}</a>
        </Button>
      }
    />
  );
}
