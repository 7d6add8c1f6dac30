"use client";

import { DESKTOP, type DeviceFacts } from "@slipway/installers";
import { Download, QrCode } from "lucide-react";
import { useNow, useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { releaseName } from "@/components/common/releases/release-name";
import { Badge } from "@/components/ui/badge";
import { Button, type ButtonProps } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { releaseVerdict } from "@/lib/features/releases/rules";
import { releasePath } from "@/lib/kernel/navigation/pages";
import type { ReleaseSummary } from "../release-summary";
import { ShareButton } from "../sharing/share-button";
import { useDevice } from "./use-device";
import { useInstall } from "./use-install";

export type InstallButtonProps = Pick<ButtonProps, "variant" | "size"> & {
  release: ReleaseSummary;
  mayDownload: boolean;
  /** The device as detected by the server. */
  rendered?: DeviceFacts;
  /** Whether computers get a button that shows the QR code for a phone. */
  sharedOnDesktop?: boolean;
  className?: string;
};

/**
 * Installs a release from a list, and then says where the installation goes on. An app bundle has a label instead, and a
 * release that does not install on this device a link to its page, which says why.
 */
export function InstallButton({
  release,
  mayDownload,
  rendered = DESKTOP,
  sharedOnDesktop = false,
  variant,
  className,
  ...props
}: InstallButtonProps) {
  const t = useTranslations("install");
  const device = useDevice(rendered);
  const { install, pending, installStarted } = useInstall(release);
  const { refusal, way } = releaseVerdict(release.facts, device, { now: useNow(), mayDownload });
  const name = <span className="sr-only"> {releaseName(release)}</span>;
  if (release.facts.kind === "aab" && !release.facts.universalApk) {
    return (
      <Badge tone="outline" className={cn(className, "w-fit")}>
        {t("bundle")}
      </Badge>
    );
  }
  if (refusal === null && device.os === "desktop" && sharedOnDesktop) {
    return (
      <ShareButton release={release} variant={variant} className={className} {...props}>
        <QrCode aria-hidden />
        {t("onPhone")}
        {name}
      </ShareButton>
    );
  }
  if (way === null) {
    return (
      <LinkButton href={releasePath(release.id)} prefetch={false} variant="secondary" className={className} {...props}>
        {t("details")}
        {name}
      </LinkButton>
    );
  }
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      <Button
        variant={device.browser === "in-app" ? "secondary" : variant}
        loading={pending}
        onClick={() => void install(way)}
        {...props}
      >
        <Download aria-hidden />
        {t(installStarted ? "again" : "action")}
        {name}
      </Button>
      <p role="status" className="text-pretty text-center text-muted-foreground text-xs leading-4.5 empty:hidden">
        {installStarted && t(way === "apk" ? "openDownload" : "checkHome")}
      </p>
    </div>
  );
}
