"use client";

import { useSearchParams } from "next/navigation";
import { type LazyOverlay, OnDemand } from "../on-demand";
import { useTableAddress } from "./data-table-frame";
import { FilterButton } from "./filter-button";

/** What the popover of a filter needs, beside what is particular to it. */
export type FilterPopoverProps = {
  label: string;
  value: string | null;
  /** Filters by a value; null removes the filter. */
  onChange: (value: string | null) => void;
};

export type PopoverFilterProps<Extra extends object> = {
  /** The query parameter. */
  name: string;
  label: string;
  /** The label of the selected value, if it differs from the value. */
  chosen?: string;
  /** Loaded when the button is hovered or focused. */
  popover: LazyOverlay<FilterPopoverProps & Extra>;
  extra: Extra;
};

/** A filter of a list whose value is chosen in a popover. */
export function PopoverFilter<Extra extends object>({
  name,
  label,
  chosen,
  popover,
  extra,
}: PopoverFilterProps<Extra>) {
  const query = useSearchParams();
  const { change } = useTableAddress();
  const value = query.get(name) || null;
  const onChange = (next: string | null) => change({ [name]: next }, { scroll: false });
  return (
    <OnDemand
      overlay={popover}
      popup="dialog"
      overlayProps={{ ...extra, label, value, onChange }}
      trigger={<FilterButton label={label} chosen={value && (chosen ?? value)} />}
    />
  );
}
