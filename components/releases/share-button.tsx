"use client";

import { Share2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useDialog } from "@/components/common/use-dialog";
import { Button, type ButtonProps } from "@/components/ui/button";
import { releaseName } from "./release-name";
import type { ReleaseSummary } from "./release-summary";

// The QR code's library comes with the first press.
const ShareDialog = dynamic(() => import("./share-dialog").then((module) => module.ShareDialog), { ssr: false });

export type ShareButtonProps = Pick<ButtonProps, "variant" | "size" | "className"> & { release: ReleaseSummary };

/** Opens what passes a release on. */
export function ShareButton({ release, variant = "secondary", ...props }: ShareButtonProps) {
  const t = useTranslations("releases.share");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button variant={variant} onClick={show} {...props}>
        <Share2 aria-hidden />
        {t("action")}
        <span className="sr-only"> {releaseName(release)}</span>
      </Button>
      {opening > 0 && <ShareDialog key={opening} release={release} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}
