"use client";

import { useTranslations } from "next-intl";
import { releaseName } from "@/components/common/release-name";
import type { DialogProps } from "@/components/common/use-dialog";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import type { ReleaseSummary } from "./release-summary";
import { SharePanel } from "./share-panel";

export type ShareDialogProps = DialogProps & {
  release: ReleaseSummary;
};

/** Shares a release by QR code or link. */
export function ShareDialog({ release, open, onOpenChange }: ShareDialogProps) {
  const t = useTranslations("releases.share");
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title", { name: releaseName(release) })}</DialogTitle>
          <DialogDescription>{release.displayName}</DialogDescription>
        </DialogHeader>
        <DialogBody className="pb-5">
          <SharePanel release={release} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
