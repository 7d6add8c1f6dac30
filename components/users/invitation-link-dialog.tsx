"use client";

import { useTranslations } from "next-intl";
import { CopyField } from "@/components/common/copy-field";
import { QrCode } from "@/components/common/qr-code";
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

/** An invitation that no mail server sends. */
export type Invitation = { name: string; link: string };

export type InvitationLinkDialogProps = {
  invitation: Invitation;
  onClose: () => void;
};

/** Shows the one-time link of an invitation to pass on, because there is no mail server. It is shown only here. */
export function InvitationLinkDialog({ invitation, onClose }: InvitationLinkDialogProps) {
  const t = useTranslations("users.invitationLink");
  const { name, link } = invitation;
  const keepOpen = (event: Event) => event.preventDefault();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent onInteractOutside={keepOpen}>
        <DialogHeader>
          <DialogTitle>{t("title", { name })}</DialogTitle>
          <DialogDescription>{t("description", { name })}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex items-center gap-5 pb-5 max-lg:flex-col">
          <QrCode value={link} label={t("qr", { name })} className="w-44 shrink-0" />
          <CopyField label={t("link")} value={link} className="flex-1 max-lg:w-full" />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>{t("done")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
