"use client";

import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { TableLink } from "./data-table-frame";
import { nextSort } from "./table-url";

export type SortableHeadProps = {
  /** The column's name in `sort`, if it can be sorted. */
  sort?: string;
  /** The list's default order. */
  defaultSort?: string;
  align?: "start" | "end";
  className?: string;
  children: ReactNode;
};

/** The head of a column; a sortable one contains a link that changes the order. */
export function SortableHead({ sort, defaultSort, align, className, children }: SortableHeadProps) {
  const query = useSearchParams();
  const current = query.get("sort") ?? defaultSort ?? null;
  const direction =
    sort === undefined ? undefined : current === sort ? "ascending" : current === `-${sort}` ? "descending" : "none";
  const Icon = direction === "ascending" ? ArrowUp : direction === "descending" ? ArrowDown : ChevronsUpDown;
  return (
    <th
      // biome-ignore lint/a11y/noRedundantRoles: on phones it is not displayed as a table and would lose its role
      role="columnheader"
      scope="col"
      aria-sort={direction}
      className={cn(
        "h-9 px-2 py-1 font-medium leading-4 text-muted-foreground text-xs first:pl-4 last:pr-4 xl:px-3",
        align === "end" && "text-right",
        className,
      )}
    >
      {sort === undefined ? (
        children
      ) : (
        <TableLink
          changes={{ sort: nextSort(current, sort) }}
          scroll={false}
          className={cn(
            "group/sort -mx-1 inline-flex min-h-6 items-center gap-1 rounded-sm px-1 hover:text-foreground",
            direction !== "none" && "text-foreground",
            // The arrow is in front, so that the name ends where the numbers end.
            align === "end" && "flex-row-reverse",
          )}
        >
          {children}
          <Icon
            aria-hidden
            className={cn(
              "size-3",
              direction === "none" && "opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100",
            )}
          />
        </TableLink>
      )}
    </th>
  );
}
