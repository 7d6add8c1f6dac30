"use client";

import { Share } from "lucide-react";
import { useTranslations } from "next-intl";
import { CopyField } from "@/components/common/copy-field";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { QrCode } from "@/components/common/qr-code";
import { releaseName } from "@/components/common/release-name";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { releaseInstallability } from "@/lib/features/releases/rules";
import { DESKTOP } from "./device";
import type { ReleaseSummary } from "./release-summary";
import { useNativeShare, useShareLink } from "./use-share-link";

/**
 * Shares a release's URL: as a QR code, as a link, or with the device's share sheet. Says so if the release cannot be
 * installed.
 */
export function SharePanel({ release }: { release: ReleaseSummary }) {
  const t = useTranslations("releases.share");
  const install = useTranslations("install");
  const link = useShareLink(release.installUrl);
  const native = useNativeShare();
  const name = `${release.displayName} ${releaseName(release)}`;
  const outcome = releaseInstallability(release.facts, DESKTOP, { now: new Date(), mayDownload: true });

  const share = async () => {
    try {
      await navigator.share({ title: name, url: link });
    } catch {
      // The user closed the share sheet; that is not an error.
    }
  };

  return (
    <div className="flex flex-col gap-4">
      {outcome.verdict === "refused" && (
        <Alert tone="warning" title={install(`refused.${outcome.reason}.title`)}>
          {t("stillShared")}
        </Alert>
      )}
      <LoopbackNotice link={link} />
      <div className="flex items-center gap-5 max-lg:flex-col">
        <QrCode value={link} label={t("qr", { name })} className="w-44 shrink-0" />
        <div className="flex min-w-0 flex-1 flex-col gap-3 max-lg:w-full">
          <p className="text-pretty text-muted-foreground leading-5">{t("hint")}</p>
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
