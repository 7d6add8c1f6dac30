"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { useOperation } from "@/lib/client/use-operation";
import type { Webhook, WebhookWithSecret } from "@/lib/features/webhooks/schema";
import { SecretDialog } from "./secret-view";

/** Replaces the secret of a webhook, and shows the new one once. */
export function RotateSecretDialog({ webhook, open, onOpenChange }: DialogProps & { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const rotate = useOperation("webhooks/rotate-webhook-secret");
  const [rotated, setRotated] = useState<WebhookWithSecret | null>(null);
  const confirm = async () => {
    const result = await rotate.run({ id: webhook.id });
    if (result.ok) setRotated(result.data);
    return result;
  };
  const close = () => {
    setRotated(null);
    router.refresh();
  };
  if (rotated) return <SecretDialog webhook={rotated} onClose={close} />;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("rotateTitle", { name: webhook.name })}
      description={t("rotateDescription")}
      confirmLabel={t("rotate")}
      onConfirm={confirm}
    />
  );
}
