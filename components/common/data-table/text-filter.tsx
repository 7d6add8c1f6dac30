"use client";

import { lazyOverlay } from "../on-demand";
import { type FilterPopoverProps, PopoverFilter } from "./popover-filter";

type Extra = {
  /** What the value has to match exactly. */
  hint: string;
};

export type TextFilterProps = Extra & {
  /** The query parameter. */
  name: string;
  label: string;
};

export type TextFilterPopoverProps = FilterPopoverProps & Extra;

const popover = lazyOverlay<TextFilterPopoverProps>(() =>
  import("./text-filter-popover").then((module) => module.TextFilterPopover),
);

/** Filters a list by a value that is typed, such as an ID. */
export function TextFilter({ hint, ...filter }: TextFilterProps) {
  return <PopoverFilter {...filter} popover={popover} extra={{ hint }} />;
}
