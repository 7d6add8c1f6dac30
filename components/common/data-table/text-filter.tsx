"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { lazyOverlay, OnDemand } from "../on-demand";
import { useTableTransition } from "./data-table-frame";
import { FilterButton } from "./filter-button";
import { tableUrl } from "./table-url";

export type TextFilterProps = {
  /** The query parameter. */
  name: string;
  label: string;
  /** What the value has to match exactly. */
  hint: string;
};

export type TextFilterPopoverProps = Omit<TextFilterProps, "name"> & {
  value: string | null;
  onChange: (value: string | null) => void;
};

const popover = lazyOverlay<TextFilterPopoverProps>(() =>
  import("./text-filter-popover").then((module) => module.TextFilterPopover),
);

/** Filters a list by a value that is typed, such as an ID. */
export function TextFilter({ name, label, hint }: TextFilterProps) {
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
      overlayProps={{ label, hint, value, onChange }}
      trigger={<FilterButton label={label} chosen={value} />}
    />
  );
}
