"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { releaseName } from "@/components/common/releases/release-name";
import { Button, type ButtonProps } from "@/components/ui/button";
import type { ReleaseSummary } from "../release-summary";
import { startDownload } from "./download";

export type DownloadButtonProps = Pick<ButtonProps, "size" | "className"> & { release: ReleaseSummary };

/** Downloads the installer of a release. */
export function DownloadButton({ release, ...props }: DownloadButtonProps) {
  const t = useTranslations("install");
  return (
    <Button variant="secondary" onClick={() => startDownload(release.id)} {...props}>
      <Download aria-hidden />
      {t("download")}
      <span className="sr-only"> {releaseName(release)}</span>
    </Button>
  );
}
