"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { usePush } from "@/components/common/push/use-push";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { NotificationSettings } from "@/lib/features/testers/schema";

const STORAGE_KEY = "push-offer";

/** Whether the user has declined the offer in this browser. Without storage, it is made again. */
export function isDeclined(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

function decline(): void {
  try {
    localStorage.setItem(STORAGE_KEY, "declined");
  } catch {
    // The offer is made again.
  }
}

/** Offers a tester notifications of new releases in this browser, once. */
export function PushOffer({ settings }: { settings: NotificationSettings }) {
  const t = useTranslations("push");
  const push = usePush(settings);
  const [declined, setDeclined] = useState(false);
  const { state, failed } = push;
  if (declined || (state !== "off" && state !== "install")) return null;
  const close = () => {
    decline();
    setDeclined(true);
  };
  return (
    <Alert
      title={t("title")}
      action={
        <>
          {state === "off" && (
            <Button size="sm" loading={push.pending} onClick={() => void push.turnOn()}>
              {t("turnOn")}
            </Button>
          )}
          <Button size="sm" variant="secondary" onClick={close}>
            {t("notNow")}
          </Button>
        </>
      }
    >
      {t(failed ? "failed" : state)}
    </Alert>
  );
}
