"use client";

import { SearchX } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "../empty-state";
import { TableLink } from "./data-table-frame";

export type DataTableEmptyProps = {
  /** The query parameters that filter the list. */
  filterKeys: readonly string[];
  /** Shown if no filter is active. */
  children: ReactNode;
};

/** Shown instead of rows: either the list is empty, or nothing matches its filters. */
export function DataTableEmpty({ filterKeys, children }: DataTableEmptyProps) {
  const t = useTranslations("common.table");
  const query = useSearchParams();
  const activeFilters = [...filterKeys, "cursor"].filter((name) => query.has(name));
  if (activeFilters.length === 0) return children;
  return (
    <EmptyState
      icon={<SearchX />}
      title={t("noMatchTitle")}
      description={t("noMatchDescription")}
      action={
        <Button asChild variant="secondary">
          <TableLink changes={Object.fromEntries(activeFilters.map((name) => [name, null]))}>
            {t("clearFilters")}
          </TableLink>
        </Button>
      }
    />
  );
}
