"use client";

import { ChevronRight, ChevronsLeft } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { TableLink } from "./data-table-frame";

/**
 * The total, a link to the next page and a link to the first page. The browser's back button returns to the previous
 * page.
 */
export function DataTablePagination({
  total,
  totalIsAtLeast,
  label,
  nextCursor,
}: {
  total: number;
  totalIsAtLeast?: true;
  /** The total in words, if it is not one of results. */
  label?: string;
  nextCursor: string | null;
}) {
  const t = useTranslations("common.table");
  const query = useSearchParams();
  const onFirstPage = !query.has("cursor");
  return (
    <div className="flex min-h-9 items-center justify-between gap-3">
      <p className="text-muted-foreground text-xs tabular-nums">
        {label ?? t(totalIsAtLeast ? "totalAtLeast" : "total", { count: total })}
      </p>
      {(!onFirstPage || nextCursor) && (
        <nav aria-label={t("pages")} className="flex gap-2">
          {!onFirstPage && (
            <Button asChild variant="ghost" size="sm">
              <TableLink changes={{ cursor: null }}>
                <ChevronsLeft aria-hidden />
                {t("firstPage")}
              </TableLink>
            </Button>
          )}
          {nextCursor && (
            <Button asChild variant="secondary" size="sm">
              <TableLink changes={{ cursor: nextCursor }}>
                {t("nextPage")}
                <ChevronRight aria-hidden />
              </TableLink>
            </Button>
          )}
        </nav>
      )}
    </div>
  );
}
