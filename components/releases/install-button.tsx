"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { useNavigate } from "@/components/common/pending/navigation";
import { releaseName } from "@/components/common/release-name";
import { Button, type ButtonProps } from "@/components/ui/button";
import { releaseInstallability } from "@/lib/features/releases/rules";
import { releasePath } from "@/lib/kernel/navigation/pages";
import type { ReleaseSummary } from "./release-summary";
import { currentDevice } from "./use-device";
import { useInstall } from "./use-install";

export type InstallButtonProps = Pick<ButtonProps, "variant" | "size" | "className"> & {
  release: ReleaseSummary;
  mayDownload: boolean;
};

/**
 * Installs a release from a list. If that is not possible on this device, it links to the release's page, which says
 * why.
 */
export function InstallButton({ release, mayDownload, ...props }: InstallButtonProps) {
  const t = useTranslations("install");
  const navigate = useNavigate();
  const { install, pending } = useInstall(release.id);

  const press = () => {
    const outcome = releaseInstallability(release.facts, currentDevice(), { now: new Date(), mayDownload });
    if (outcome.verdict === "install") void install(outcome.way);
    else navigate(releasePath(release.id));
  };

  return (
    <Button loading={pending} onClick={press} {...props}>
      <Download aria-hidden />
      {t("action")}
      <span className="sr-only"> {releaseName(release)}</span>
    </Button>
  );
}
