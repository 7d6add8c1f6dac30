"use client";

import { useTranslations } from "next-intl";
import { releaseName } from "@/components/common/releases/release-name";
import type { DialogProps } from "@/components/common/use-dialog";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { ShareChoices, type ShareChoicesProps } from "./share-choices";

export type ShareDialogProps = DialogProps & ShareChoicesProps;

/** Shares a release by QR code or link. */
export function ShareDialog({ release, mayUpdate, open, onOpenChange }: ShareDialogProps) {
  const t = useTranslations("releases.share");
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title", { name: releaseName(release) })}</DialogTitle>
          <DialogDescription>{release.displayName}</DialogDescription>
        </DialogHeader>
        <DialogBody className="pb-5">
          <ShareChoices release={release} mayUpdate={mayUpdate} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
