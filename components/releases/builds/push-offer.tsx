"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { declinePush } from "@/components/common/push/declined";
import { usePush } from "@/components/common/push/use-push";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { NotificationSettings } from "@/lib/features/testers/schema";

/** Offers a tester notifications of new releases in this browser, once. */
export function PushOffer({ settings }: { settings: NotificationSettings }) {
  const t = useTranslations("browserNotifications");
  const push = usePush(settings);
  const [declined, setDeclined] = useState(false);
  const { state, failed } = push;
  if (declined || (state !== "off" && state !== "install")) return null;
  const close = () => {
    declinePush();
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
