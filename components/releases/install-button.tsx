"use client";

import { Download } from "lucide-react";
import { useNow, useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { releaseName } from "@/components/common/release-name";
import { Button, type ButtonProps } from "@/components/ui/button";
import { releaseInstallability } from "@/lib/features/releases/rules";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { DESKTOP } from "./device";
import type { ReleaseSummary } from "./release-summary";
import { useDevice } from "./use-device";
import { useInstall } from "./use-install";

export type InstallButtonProps = Pick<ButtonProps, "variant" | "size" | "className"> & {
  release: ReleaseSummary;
  mayDownload: boolean;
};

/**
 * Installs a release from a list. A release that does not install on this device has no such button but a link to its page,
 * which says why.
 */
export function InstallButton({ release, mayDownload, ...props }: InstallButtonProps) {
  const t = useTranslations("install");
  const device = useDevice(DESKTOP);
  const { install, pending } = useInstall(release.id);
  const outcome = releaseInstallability(release.facts, device, { now: useNow(), mayDownload });
  const name = <span className="sr-only"> {releaseName(release)}</span>;
  if (outcome.verdict !== "install") {
    return (
      <LinkButton href={releasePath(release.id)} prefetch={false} {...props} variant="ghost">
        {t("details")}
        {name}
      </LinkButton>
    );
  }
  return (
    <Button loading={pending} onClick={() => void install(outcome.way)} {...props}>
      <Download aria-hidden />
      {t("action")}
      {name}
    </Button>
  );
}
