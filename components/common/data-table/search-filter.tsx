"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { lazyOverlay, OnDemand } from "../on-demand";
import type { SearchOptions } from "../search-list";
import { useTableTransition } from "./data-table-frame";
import { FilterButton } from "./filter-button";
import { tableUrl } from "./table-url";

export type SearchFilterProps = {
  /** The query parameter. */
  name: string;
  label: string;
  /** The label of the selected value, if it differs from the value. */
  chosen?: string;
  search: SearchOptions;
};

export type SearchFilterPopoverProps = Omit<SearchFilterProps, "name" | "chosen"> & {
  value: string | null;
  onChange: (value: string | null) => void;
};

const popover = lazyOverlay<SearchFilterPopoverProps>(() =>
  import("./search-filter-popover").then((module) => module.SearchFilterPopover),
);

/** Filters a list by one of many values. They are searched on the server when it opens. */
export function SearchFilter({ name, label, chosen, search }: SearchFilterProps) {
  const router = useRouter();
  const query = useSearchParams();
  const { start } = useTableTransition();
  const value = query.get(name) || null;
  const onChange = (next: string | null) =>
    start(() => router.push(tableUrl(query, { [name]: next }), { scroll: false }));
  return (
    <OnDemand
      overlay={popover}
      popup="dialog"
      overlayProps={{ label, search, value, onChange }}
      trigger={<FilterButton label={label} chosen={value && (chosen ?? value)} />}
    />
  );
}
