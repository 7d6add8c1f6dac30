"use client";

import { Share2 } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DialogButton, type DialogButtonProps } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { releaseName } from "@/components/common/releases/release-name";
import type { ReleaseSummary } from "../release-summary";

// The QR code library is loaded with the first press.
const ShareDialog = lazyDialog(() => import("./share-dialog").then((module) => module.ShareDialog));

export type ShareButtonProps = Pick<DialogButtonProps, "variant" | "size" | "className" | "requestedAs"> & {
  release: ReleaseSummary;
  /** Whether the user may make links that need no account; the dialog asks for it if it is left out. */
  mayUpdate?: boolean;
  /** The button's label instead of "Share". */
  children?: ReactNode;
};

/** Opens the share dialog. */
export function ShareButton({ release, mayUpdate, variant = "secondary", children, ...props }: ShareButtonProps) {
  const t = useTranslations("releases.share");
  return (
    <DialogButton
      variant={variant}
      {...props}
      dialog={(dialog) => <ShareDialog release={release} mayUpdate={mayUpdate} {...dialog} />}
    >
      {children ?? (
        <>
          <Share2 aria-hidden />
          {t("action")}
          <span className="sr-only"> {releaseName(release)}</span>
        </>
      )}
    </DialogButton>
  );
}
