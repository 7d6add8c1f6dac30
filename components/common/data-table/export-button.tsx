"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { OperationInput, OperationPath } from "@/lib/client/operation-types";
import { DialogButton } from "../dialog-button";
import { lazyDialog } from "../lazy-dialog";
import type { ExportDialogProps } from "./export-dialog";

const ExportDialog = lazyDialog<ExportDialogProps>(() =>
  import("./export-dialog").then((module) => module.ExportDialog),
);

/** The lists that can be exported: those whose input has a `format`. */
type ListPath = {
  [P in OperationPath]: OperationInput<P> extends { format?: "json" | "csv" | undefined }
    ? "format" extends keyof OperationInput<P>
      ? P
      : never
    : never;
}[OperationPath];

/** A list, or the download of the whole audit log. */
export type ExportablePath = ListPath | "config/download-audit-log";

export type ExportButtonProps<P extends ExportablePath> = {
  /** The operation of the list. */
  path: P;
  /** Its filters and order, as the table shows them; the page is left out. */
  input: OperationInput<P>;
  /** Number of rows, and whether there are more. */
  total: number;
  totalIsAtLeast?: true;
  /**
   * The name of a row of the file, if it differs from a row of the list. `total` then only says whether there are rows.
   */
  description?: string;
  icon?: ReactNode;
  /** Shown instead of "Export CSV". */
  children?: ReactNode;
};

/** Exports the rows of a list that match its filters, on all pages, as CSV. */
export function ExportButton<P extends ExportablePath>({
  path,
  input,
  total,
  totalIsAtLeast,
  description,
  icon = <Download aria-hidden className="text-muted-foreground" />,
  children,
}: ExportButtonProps<P>) {
  const t = useTranslations("common.table.export");
  const { cursor: _cursor, limit: _limit, ...filters } = input as { cursor?: string; limit?: unknown };
  return (
    <DialogButton
      variant="secondary"
      disabled={total === 0}
      title={children === undefined ? t("action") : undefined}
      dialog={(dialog) => (
        <ExportDialog
          {...dialog}
          path={path}
          input={path === "config/download-audit-log" ? {} : { ...filters, format: "csv" }}
          total={totalIsAtLeast || description !== undefined ? null : total}
          description={description}
        />
      )}
    >
      {icon}
      {/* An icon where the toolbar has no room for its words. */}
      {children ?? <span className="max-xl:lg:sr-only">{t("action")}</span>}
    </DialogButton>
  );
}
