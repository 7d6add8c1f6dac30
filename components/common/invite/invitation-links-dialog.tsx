"use client";

import { QrCode as QrCodeIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { CopyField } from "@/components/common/copy-field";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { QrCode } from "@/components/common/qr-code";
import { RowButton } from "@/components/common/row-button";
import { useUnsavedWork } from "@/components/common/use-unsaved-work";
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
export type Invitation = { name: string; email: string; link: string };

export type InvitationLinksDialogProps = {
  /** At least one. */
  invitations: readonly Invitation[];
  onClose: () => void;
};

/** Shows the one-time links of invitations to pass on, because there is no mail server. They are shown only here. */
export function InvitationLinksDialog({ invitations, onClose }: InvitationLinksDialogProps) {
  const t = useTranslations("users.invitationLink");
  useUnsavedWork(true);
  const keepOpen = (event: Event) => event.preventDefault();
  const only = invitations.length === 1 ? invitations[0] : undefined;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent onInteractOutside={keepOpen} onEscapeKeyDown={keepOpen} size={only ? "md" : "lg"}>
        <DialogHeader>
          <DialogTitle>
            {only ? t("title", { name: only.name }) : t("titleMany", { count: invitations.length })}
          </DialogTitle>
          <DialogDescription>{only ? t("description", { name: only.name }) : t("descriptionMany")}</DialogDescription>
        </DialogHeader>
        {only ? (
          <DialogBody className="flex flex-col gap-4 pb-5">
            <LoopbackNotice link={only.link} />
            <div className="flex items-center gap-5 max-lg:flex-col">
              <QrCode value={only.link} label={t("qr", { name: only.name })} className="w-44 shrink-0" />
              <CopyField label={t("link")} value={only.link} className="flex-1 max-lg:w-full" />
            </div>
          </DialogBody>
        ) : (
          <DialogBody className="flex flex-col gap-4 pb-5">
            {invitations[0] && <LoopbackNotice link={invitations[0].link} />}
            <ul className="flex flex-col gap-4">
              {invitations.map((invitation) => (
                <InvitationItem key={invitation.link} invitation={invitation} />
              ))}
            </ul>
          </DialogBody>
        )}
        <DialogFooter>
          {!only && (
            <CopyButton
              value={invitations.map(({ email, link }) => `${email}\n${link}`).join("\n\n")}
              text={t("copyAll")}
            />
          )}
          <Button onClick={onClose}>{t("done")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

/** One of several invitations: its link, and its QR code on request. */
function InvitationItem({ invitation: { name, email, link } }: { invitation: Invitation }) {
  const t = useTranslations("users.invitationLink");
  const [shown, setShown] = useState(false);
  return (
    <li className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-end gap-2">
        <CopyField label={email} value={link} className="flex-1" />
        <RowButton
          label={t("qr", { name })}
          icon={<QrCodeIcon aria-hidden />}
          aria-expanded={shown}
          onClick={() => setShown(!shown)}
        />
      </div>
      {shown && <QrCode value={link} label={t("qr", { name })} className="w-44" />}
    </li>
  );
}
