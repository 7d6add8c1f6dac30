"use client";

import { useTranslations } from "next-intl";
import type { OnDemandProps } from "../on-demand";
import { SearchList } from "../search-list";
import { FilterPopover } from "./filter-popover";
import type { SearchFilterPopoverProps } from "./search-filter";

/** The values to choose from. Use `SearchFilter`, which loads this component on demand. */
export function SearchFilterPopover({ search, value, ...popover }: SearchFilterPopoverProps & OnDemandProps) {
  const t = useTranslations("common.table");
  return (
    <FilterPopover {...popover} className="flex max-h-80 w-64 flex-col overflow-hidden p-0">
      {(choose) => (
        <SearchList
          label={popover.label}
          search={search}
          selected={value}
          onChoose={(option) => choose(option.value)}
          none={{ label: t("anyValue"), onChoose: () => choose(null) }}
        />
      )}
    </FilterPopover>
  );
}
