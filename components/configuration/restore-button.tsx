"use client";

import { RotateCcw } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { RestoreDialogProps } from "./restore-dialog";

// Loaded when it is opened for the first time, not with the list.
const RestoreDialog = lazyDialog(() => import("./restore-dialog").then((file) => file.RestoreDialog));

export type RestoreButtonProps = Omit<RestoreDialogProps, "open" | "onOpenChange">;

/** Opens the question whether to restore a version. */
export function RestoreButton(props: RestoreButtonProps) {
  const t = useTranslations("configuration.history");
  return (
    <DialogButton
      variant="ghost"
      size="sm"
      aria-label={t("restoreVersion", { version: props.version })}
      dialog={(dialog) => <RestoreDialog {...props} {...dialog} />}
    >
      <RotateCcw aria-hidden />
      {t("restore")}
    </DialogButton>
  );
}
