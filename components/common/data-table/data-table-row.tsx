"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useId, useState } from "react";
import { cn } from "@/components/ui/cn";

type RowState = { id: string; open: boolean; toggle: () => void };

const RowContext = createContext<RowState | null>(null);

/** A row of a table. Phones show the rest of an opened row; its cells stay as the server rendered them. */
export function DataTableRow({ className, children }: { className: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <RowContext value={{ id, open, toggle: () => setOpen(!open) }}>
      {/* biome-ignore lint/a11y/noRedundantRoles: on phones it is not displayed as a table and would lose its role */}
      <tr role="row" id={id} data-open={open || undefined} className={className}>
        {children}
      </tr>
    </RowContext>
  );
}

/** Where the sign that a row opens is, by the number of controls at the end of the row. */
const PLACE_OF_SIGN = { 0: "right-4", 1: "right-13", 2: "right-21" };

/** The button of a row that opens it on phones. It covers the row, except for its controls. */
export function RowToggle({ actions }: { actions: 0 | 1 | 2 }) {
  const t = useTranslations("common.table");
  const row = useContext(RowContext);
  if (!row) return null;
  return (
    <button
      type="button"
      aria-expanded={row.open}
      aria-controls={row.id}
      onClick={row.toggle}
      className="absolute inset-0 cursor-pointer focus-visible:outline-offset-[-3px] active:bg-muted/50 lg:hidden"
    >
      <span className="sr-only">{t("details")}</span>
      <ChevronDown
        aria-hidden
        className={cn(
          "absolute top-5.5 size-4 text-muted-foreground transition-transform",
          PLACE_OF_SIGN[actions],
          row.open && "rotate-180",
        )}
      />
    </button>
  );
}
