"use client";

import { lazyOverlay } from "../on-demand";
import type { SearchOptions } from "../search-list";
import { type FilterPopoverProps, PopoverFilter } from "./popover-filter";

type Extra = { search: SearchOptions };

export type SearchFilterProps = Extra & {
  /** The query parameter. */
  name: string;
  label: string;
  /** The label of the selected value, if it differs from the value. */
  chosen?: string;
};

export type SearchFilterPopoverProps = FilterPopoverProps & Extra;

const popover = lazyOverlay<SearchFilterPopoverProps>(() =>
  import("./search-filter-popover").then((module) => module.SearchFilterPopover),
);

/** Filters a list by one of many values. They are searched on the server when it opens. */
export function SearchFilter({ search, ...filter }: SearchFilterProps) {
  return <PopoverFilter {...filter} popover={popover} extra={{ search }} />;
}
