"use client";

import { GitCompareArrows } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { CompareDialogProps } from "./compare-dialog";

// Loaded when it is opened for the first time, not with the page.
const CompareDialog = lazyDialog(() => import("./compare-dialog").then((file) => file.CompareDialog));

export type CompareButtonProps = Omit<CompareDialogProps, "open" | "onOpenChange"> & {
  /** What is compared with what. */
  label: "compare" | "comparePrevious" | "compareVersions";
  /** The version of a row, which the button's accessible name contains. */
  version?: number;
  className?: string;
};

/** Opens the differences between two versions of an environment's configuration. */
export function CompareButton({ label, version, className, ...compared }: CompareButtonProps) {
  const t = useTranslations("configuration.history");
  return (
    <DialogButton
      variant={version === undefined || compared.latest === undefined ? "secondary" : "ghost"}
      size="sm"
      className={className}
      aria-label={version === undefined ? undefined : `${t(label)}: ${t("version", { version })}`}
      dialog={(dialog) => <CompareDialog {...compared} {...dialog} />}
    >
      <GitCompareArrows aria-hidden />
      {t(label)}
    </DialogButton>
  );
}
