"use client";

import { useTranslations } from "next-intl";
import { CopyField } from "@/components/common/copy-field";
import { DocsLink } from "@/components/common/docs-link";
import { useUnsavedWork } from "@/components/common/use-unsaved-work";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import type { WebhookWithSecret } from "@/lib/features/webhooks/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** Shows the secret of a webhook once. Only its button closes the dialog, so it is not closed by accident. */
export function SecretDialog({ webhook, onClose }: { webhook: WebhookWithSecret; onClose: () => void }) {
  const t = useTranslations("webhooks");
  const common = useTranslations("common");
  useUnsavedWork(true);
  const keepOpen = (event: Event) => event.preventDefault();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent onInteractOutside={keepOpen} onEscapeKeyDown={keepOpen}>
        <DialogHeader>
          <DialogTitle>{t("secretTitle", { name: webhook.name })}</DialogTitle>
          <DialogDescription>{t("secretDescription")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-5 pb-5">
          <Alert tone="warning" title={t("onceTitle")}>
            {t(webhook.previousSecretUntil ? "onceRotated" : "onceDescription")}
          </Alert>
          <CopyField label={t("secret")} value={webhook.secret} />
          <DocsLink href={`${PAGES.docs}/webhooks#verify-a-message`} />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>{common("done")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
