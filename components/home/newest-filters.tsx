"use client";

import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { searchApps } from "@/components/common/apps/search-apps";
import { useTableAddress } from "@/components/common/data-table/data-table-frame";
import { SearchFilter } from "@/components/common/data-table/search-filter";
import { SelectFilter } from "@/components/common/data-table/select-filter";
import { NEWEST_DAYS } from "@/lib/features/dashboard/rules";

export type NewestFiltersProps = {
  /** The name of the selected application. */
  app: string | undefined;
  platforms: readonly { id: string; name: string }[];
};

/** Filters the newest releases by application, platform and age. */
export function NewestFilters({ app, platforms }: NewestFiltersProps) {
  const t = useTranslations("dashboard.filters");
  const query = useSearchParams();
  const { change } = useTableAddress();
  const set = (name: string) => (value: string | null) => change({ [name]: value }, { scroll: false });
  return (
    <search
      aria-label={t("label")}
      className="flex items-center gap-2 max-lg:fade-x max-lg:-mx-4 max-lg:w-screen max-lg:overflow-x-auto max-lg:px-4 max-lg:py-0.5 max-lg:[scrollbar-width:none]"
    >
      <SearchFilter name="appId" label={t("app")} chosen={app} search={searchApps} />
      <SelectFilter
        label={t("platform")}
        options={platforms.map(({ id, name }) => ({ value: id, label: name }))}
        value={query.get("platformId")}
        onChange={set("platformId")}
      />
      <SelectFilter
        label={t("days")}
        options={NEWEST_DAYS.map((days) => ({ value: String(days), label: t("lastDays", { days }) }))}
        value={query.get("days")}
        onChange={set("days")}
      />
    </search>
  );
}
