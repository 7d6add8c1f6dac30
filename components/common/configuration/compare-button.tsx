"use client";

import { GitCompareArrows } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import type { ComparedVersions } from "./compare-dialog";

// Loaded when it is opened for the first time, not with the page.
const CompareDialog = dynamic(() => import("./compare-dialog").then((file) => file.CompareDialog), { ssr: false });

export type CompareButtonProps = ComparedVersions & {
  /** The version that the button is named after. */
  version: number;
};

/** Opens the differences between two versions of an environment's configuration. */
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
