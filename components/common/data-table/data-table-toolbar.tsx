"use client";

import { ArrowDownUp, Search, X } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode, startTransition, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { Menu, type MenuSection } from "../menu";
import { useTableAddress } from "./data-table-frame";
import { DateFilter } from "./date-filter";
import { SelectFilter } from "./select-filter";
import { keysOfFilter, type TableFilter } from "./table-filter";
import type { ViewColumn } from "./table-view";
import { ViewButton } from "./view-button";

export type DataTableToolbarProps = {
  search?: string | false;
  filters: readonly TableFilter[];
  sorts: readonly { value: string; label: string }[];
  /** There are no rows. The toolbar is then hidden, unless a search or filter is active. */
  isEmpty: boolean;
  /** The columns that can be hidden. */
  columns?: readonly ViewColumn[];
  end?: ReactNode;
};

const SEARCH_DELAY_MS = 300;

/** Search, filters and, on the phone, sorting. */
export function DataTableToolbar({ search, filters, sorts, isEmpty, columns = [], end }: DataTableToolbarProps) {
  const t = useTranslations("common.table");
  const { pending, change } = useTableAddress();
  const query = useSearchParams();
  const searchField = useSearchText();
  const active = ["search", ...filters.flatMap(keysOfFilter)].filter((name) => query.get(name));
  if (isEmpty && active.length === 0 && !query.has("cursor")) return null;
  if (search === false && filters.length === 0 && sorts.length === 0 && !end) return null;

  const set = (changes: Record<string, string | null>) => change(changes, { scroll: false });
  const clear = () => {
    searchField.reset();
    set(Object.fromEntries(active.map((name) => [name, null])));
  };

  return (
    <search className="flex flex-wrap items-start gap-2">
      {search !== false && (
        <div className="relative w-full lg:w-72">
          {pending ? (
            <Spinner className="absolute top-1/2 left-3 -translate-y-1/2 text-muted-foreground lg:left-2.5" />
          ) : (
            <Search
              aria-hidden
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground lg:left-2.5"
            />
          )}
          <Input
            type="search"
            enterKeyHint="search"
            aria-label={t("search")}
            placeholder={search ?? t("searchPlaceholder")}
            maxLength={200}
            autoComplete="off"
            value={searchField.text}
            onChange={(event) => searchField.type(event.target.value)}
            className="pl-9 not-placeholder-shown:pr-9 lg:pl-8 [&::-webkit-search-cancel-button]:hidden"
          />
          {searchField.text && (
            <button
              type="button"
              aria-label={t("clearSearch")}
              onClick={() => searchField.type("")}
              className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-lg text-muted-foreground hover:text-foreground focus-visible:outline-offset-[-3px]"
            >
              <X aria-hidden className="size-4" />
            </button>
          )}
        </div>
      )}
      {/* On phones, one line that scrolls horizontally. */}
      <div className="flex items-center gap-2 max-lg:fade-x max-lg:-mx-4 max-lg:w-screen max-lg:overflow-x-auto max-lg:px-4 max-lg:py-0.5 max-lg:[scrollbar-width:none] lg:flex-1 lg:flex-wrap">
        {filters.map((filter) => {
          if (filter.type === "control") return <Fragment key={filter.key}>{filter.control}</Fragment>;
          if (filter.type === "dates") {
            return (
              <DateFilter
                key={filter.fromKey}
                label={filter.label}
                from={query.get(filter.fromKey)}
                to={query.get(filter.toKey)}
                onChange={({ from, to }) => set({ [filter.fromKey]: from, [filter.toKey]: to })}
              />
            );
          }
          return (
            <SelectFilter
              key={filter.key}
              label={filter.label}
              options={filter.options}
              value={query.get(filter.key)}
              onChange={(value) => set({ [filter.key]: value })}
            />
          );
        })}
        {sorts.length > 0 && <SortMenu sorts={sorts} value={query.get("sort")} onChange={(sort) => set({ sort })} />}
        {active.length > 0 && (
          <Button variant="ghost" className="text-muted-foreground" onClick={clear}>
            <X aria-hidden />
            {t("clearFilters")}
          </Button>
        )}
        {(end || columns.length > 1) && (
          <div className="flex items-center gap-2 lg:ml-auto">
            {end}
            {columns.length > 1 && <ViewButton columns={columns} />}
          </div>
        )}
      </div>
    </search>
  );
}

/** The text of the search field: the typed text while the user types, otherwise the URL's. */
function useSearchText() {
  const { change } = useTableAddress();
  const inUrl = useSearchParams().get("search") ?? "";
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = (text: string) =>
    startTransition(() => {
      change({ search: text }, { replace: true, scroll: false });
      setTyped((latest) => (latest === text ? null : latest));
    });

  const type = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(apply, text === "" ? 0 : SEARCH_DELAY_MS, text);
  };

  /** Drops what was typed and not searched for yet. */
  const reset = () => {
    clearTimeout(timer.current);
    setTyped(null);
  };

  return { text: typed ?? inUrl, type, reset };
}

type SortMenuProps = {
  sorts: readonly { value: string; label: string }[];
  value: string | null;
  onChange: (sort: string | null) => void;
};

/** The sort menu for phones, where the column heads are hidden. */
function SortMenu({ sorts, value, onChange }: SortMenuProps) {
  const t = useTranslations("common.table");
  const order: MenuSection = {
    value: value ?? "",
    onValueChange: (sort) => onChange(sort || null),
    options: [
      { value: "", label: t("defaultOrder") },
      ...sorts.flatMap((sort) => [
        { value: sort.value, label: t("ascending", { column: sort.label }) },
        { value: `-${sort.value}`, label: t("descending", { column: sort.label }) },
      ]),
    ],
  };
  return (
    <Menu
      sections={[order]}
      trigger={
        <Button variant="secondary" className="lg:hidden">
          <ArrowDownUp aria-hidden className="text-muted-foreground" />
          {t("sortBy")}
        </Button>
      }
    />
  );
}
