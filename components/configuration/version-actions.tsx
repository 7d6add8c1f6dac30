"use client";

import { GitCompareArrows, RotateCcw } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import type { EntryKind } from "@/lib/features/configuration/schema";
import type { ComparedVersions } from "./compare-dialog";

// Loaded when they are opened for the first time, not with the list.
const CompareDialog = dynamic(() => import("./compare-dialog").then((file) => file.CompareDialog), { ssr: false });
const RestoreDialog = dynamic(() => import("./restore-dialog").then((file) => file.RestoreDialog), { ssr: false });

export type CompareButtonProps = ComparedVersions & {
  /** The version of the row, which the button is named after. */
  version: number;
};

/** Opens the differences between two versions. */
export function CompareButton({ version, ...compared }: CompareButtonProps) {
  const t = useTranslations("configuration.history");
  const label = t(compared.to === "current" ? "compare" : "comparePrevious");
  return (
    <DialogButton
      variant="secondary"
      size="sm"
      aria-label={`${label}: ${t("version", { version })}`}
      dialog={(dialog) => <CompareDialog {...compared} {...dialog} />}
    >
      <GitCompareArrows aria-hidden />
      {label}
    </DialogButton>
  );
}

export type RestoreButtonProps = { environmentId: string; version: number; kinds: readonly EntryKind[] };

/** Opens the question whether to restore a version. */
export function RestoreButton(props: RestoreButtonProps) {
  const t = useTranslations("configuration.history");
  return (
    <DialogButton
      variant="secondary"
      size="sm"
      aria-label={t("restoreVersion", { version: props.version })}
      dialog={(dialog) => <RestoreDialog {...props} {...dialog} />}
    >
      <RotateCcw aria-hidden />
      {t("restore")}
    </DialogButton>
  );
}
