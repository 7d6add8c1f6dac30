"use client";

import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

/** Sends a test mail to the user, and says what the mail server answered. */
export function TestMailButton() {
  const t = useTranslations("testMail");
  const { run, pending } = useOperation("config/send-test-mail");
  const send = async () => {
    const result = await run({});
    if (!result.ok) return;
    const { outcome, code, responseCode } = result.data;
    if (outcome === "failed") notify.error(t("failed", { code: [code, responseCode].filter(Boolean).join(" ") }));
    else if (outcome === "written") notify.warning(t("written"));
    else notify.success(t("accepted"));
  };
  return (
    <Button variant="secondary" size="sm" className="self-start" loading={pending} onClick={() => void send()}>
      <Mail aria-hidden className="text-muted-foreground" />
      {t("action")}
    </Button>
  );
}
