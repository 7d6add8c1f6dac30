"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { OnDemandProps } from "../on-demand";
import { SearchList } from "../search-list";
import type { SearchFilterPopoverProps } from "./search-filter";

/** The values to choose from, initially open. Use `SearchFilter`, which loads this component on demand. */
export function SearchFilterPopover({
  trigger,
  label,
  search,
  value,
  onChange,
}: SearchFilterPopoverProps & OnDemandProps) {
  const t = useTranslations("common.table");
  const [open, setOpen] = useState(true);
  const choose = (next: string | null) => {
    setOpen(false);
    onChange(next);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent aria-label={label} className="flex max-h-80 w-64 flex-col overflow-hidden p-0">
        <SearchList
          label={label}
          search={search}
          selected={value}
          onChoose={(option) => choose(option.value)}
          none={{ label: t("anyValue"), onChoose: () => choose(null) }}
        />
      </PopoverContent>
    </Popover>
  );
}
