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
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import type { ReleaseSummary } from "../release-summary";
import { ShareLinksPanel } from "./share-links-panel";
import { SharePanel } from "./share-panel";

export type ShareDialogProps = DialogProps & {
  release: ReleaseSummary;
  /** Whether the user may make links that need no account. */
  mayUpdate?: boolean;
};

/** Shares a release by QR code or link. */
export function ShareDialog({ release, mayUpdate = false, open, onOpenChange }: ShareDialogProps) {
  const t = useTranslations("releases.share");
  const links = useTranslations("shareLinks");
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title", { name: releaseName(release) })}</DialogTitle>
          <DialogDescription>{release.displayName}</DialogDescription>
        </DialogHeader>
        <DialogBody className="pb-5">
          {mayUpdate ? (
            <Tabs defaultValue="account">
              <TabsList>
                <TabsTrigger value="account">{links("account")}</TabsTrigger>
                <TabsTrigger value="visitor">{links("visitor")}</TabsTrigger>
              </TabsList>
              <TabsContent value="account">
                <SharePanel release={release} />
              </TabsContent>
              <TabsContent value="visitor">
                <ShareLinksPanel release={release} />
              </TabsContent>
            </Tabs>
          ) : (
            <SharePanel release={release} />
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
