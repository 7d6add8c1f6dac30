"use client";

import { DESKTOP } from "@slipway/installers";
import { Share, Smartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { CopyField } from "@/components/common/copy-field";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { QrCode } from "@/components/common/qr-code";
import { openedDevice } from "@/components/common/releases/opened-device";
import { releaseName } from "@/components/common/releases/release-name";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { reasonKey, releaseVerdict } from "@/lib/features/releases/rules";
import type { ReleaseSummary } from "../release-summary";
import { useFirstOpening } from "./use-first-opening";
import { useNativeShare, useShareLink } from "./use-share-link";

/**
 * Shares a release's URL: as a QR code, as a link, or with the device's share sheet. Says so if the release cannot be
 * installed, and when the first phone opens it.
 */
export function SharePanel({ release }: { release: ReleaseSummary }) {
  const t = useTranslations("releases.share");
  const releases = useTranslations("releases");
  const install = useTranslations("install");
  const opening = useFirstOpening(release.id);
  const link = useShareLink(release.installUrl);
  const native = useNativeShare();
  const name = `${release.displayName} ${releaseName(release)}`;
  const { refusal } = releaseVerdict(release.facts, DESKTOP, { now: new Date(), mayDownload: true });

  const share = async () => {
    try {
      await navigator.share({ title: name, url: link });
    } catch {
      // The user closed the share sheet; that is not an error.
    }
  };

  return (
    <div className="flex flex-col gap-4">
      {refusal && (
        <Alert tone="warning" title={install(`reasons.${reasonKey(refusal)}.title`)}>
          {t("stillShared")}
        </Alert>
      )}
      <LoopbackNotice link={link} />
      <div className="flex items-center gap-5 max-lg:flex-col">
        <div
          className={cn(
            "-m-2 shrink-0 rounded-xl border border-transparent p-2 transition-colors",
            opening && "border-success-border bg-success-surface",
          )}
        >
          <QrCode value={link} label={t("qr", { name })} className="w-44" />
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-3 max-lg:w-full">
          <p className="text-pretty text-muted-foreground leading-5">{t("hint")}</p>
          <p role="status" className="flex items-start gap-2 font-medium text-success leading-5 empty:-mt-3">
            {opening && (
              <>
                <Smartphone aria-hidden className="mt-0.5 size-4 shrink-0" />
                {t("opened", { device: openedDevice(opening, releases("computer")) })}
              </>
            )}
          </p>
          <CopyField label={t("link")} value={link} />
          {native && (
            <Button variant="secondary" onClick={share} className="w-full">
              <Share aria-hidden />
              {t("more")}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
