"use client";

import { SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { lazyOverlay, OnDemand } from "../on-demand";
import { type TableView, useTableView, type ViewColumn } from "./table-view";

export type ViewPopoverProps = {
  columns: readonly ViewColumn[];
  view: TableView;
  onChange: (view: TableView) => void;
};

const popover = lazyOverlay<ViewPopoverProps>(() => import("./view-popover").then((module) => module.ViewPopover));

/** Chooses the columns and the density of a table on desktops. */
export function ViewButton({ columns }: { columns: readonly ViewColumn[] }) {
  const t = useTranslations("common.table.view");
  const [view, onChange] = useTableView(columns);
  return (
    <OnDemand
      overlay={popover}
      popup="dialog"
      overlayProps={{ columns, view, onChange }}
      trigger={
        <Button variant="secondary" size="icon" aria-label={t("label")} title={t("label")} className="max-lg:hidden">
          <SlidersHorizontal aria-hidden className="text-muted-foreground" />
        </Button>
      }
    />
  );
}
