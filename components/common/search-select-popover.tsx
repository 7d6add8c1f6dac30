"use client";

import { useState } from "react";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { OnDemandProps } from "./on-demand";
import { SearchList, type SearchOption } from "./search-list";
import type { SearchSelectPopoverProps } from "./search-select";

/** The options to choose from, initially open. Use `SearchSelect`, which loads this component on demand. */
export function SearchSelectPopover({
  trigger,
  label,
  search,
  selected,
  onChange,
  none,
}: SearchSelectPopoverProps & OnDemandProps) {
  const [open, setOpen] = useState(true);
  const choose = (option: SearchOption) => {
    onChange(option);
    setOpen(false);
  };
  const chooseNone = () => {
    none?.onChoose();
    setOpen(false);
  };
  return (
    <Popover modal open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent
        aria-label={label}
        className="flex max-h-80 w-(--radix-popover-trigger-width) min-w-64 flex-col overflow-hidden p-0"
      >
        <SearchList
          label={label}
          search={search}
          selected={selected}
          onChoose={choose}
          {...(none && { none: { label: none.label, onChoose: chooseNone } })}
        />
      </PopoverContent>
    </Popover>
  );
}
