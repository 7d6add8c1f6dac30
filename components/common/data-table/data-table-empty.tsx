"use client";

import { SearchX } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "../empty-state";
import { TableLink } from "./data-table-frame";
import { tableUrl } from "./table-url";

export type DataTableEmptyProps = {
  /** The parameters that narrow the list down. */
  narrowing: readonly string[];
  /** What is shown when nothing narrows the list. */
  children: ReactNode;
};

/** Stands in for the rows: either there are none yet, or none that match. */
export function DataTableEmpty({ narrowing, children }: DataTableEmptyProps) {
  const t = useTranslations("common.table");
  const query = useSearchParams();
  const limiting = [...narrowing, "cursor"].filter((name) => query.has(name));
  if (limiting.length === 0) return children;
  return (
    <EmptyState
      icon={<SearchX />}
      title={t("noMatchTitle")}
      description={t("noMatchDescription")}
      action={
        <Button asChild variant="secondary">
          <TableLink href={tableUrl(query, Object.fromEntries(limiting.map((name) => [name, null])))}>
            {t("clearFilters")}
          </TableLink>
        </Button>
      }
    />
  );
}
