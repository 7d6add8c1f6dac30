"use client";

import { type ReactNode, useState } from "react";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { OnDemandProps } from "../on-demand";
import type { FilterPopoverProps } from "./popover-filter";

export type FilterPopoverFrameProps = Pick<FilterPopoverProps, "label" | "onChange"> &
  Pick<OnDemandProps, "trigger"> & {
    className?: string;
    /** The content; `choose` closes the popover and filters. */
    children: (choose: FilterPopoverProps["onChange"]) => ReactNode;
  };

/** The popover of a filter, initially open. */
export function FilterPopover({ trigger, label, onChange, className, children }: FilterPopoverFrameProps) {
  const [open, setOpen] = useState(true);
  const choose = (value: string | null) => {
    setOpen(false);
    onChange(value);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent aria-label={label} className={className}>
        {children(choose)}
      </PopoverContent>
    </Popover>
  );
}
