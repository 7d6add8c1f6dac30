import { useTranslations } from "next-intl";
import type { DataTableColumn } from "@/components/common/data-table/data-table";
import { Nothing } from "@/components/common/nothing";
import { RelativeTime } from "@/components/common/relative-time";
import type { SecureVariable } from "@/lib/features/variables/schema";

type Entry = Pick<SecureVariable, "name" | "key" | "updatedAt" | "updatedBy">;

/** The columns that lists of variables and of certificates share. */
export function useEntryColumns(): Record<"name" | "key" | "changed", DataTableColumn<Entry>> {
  const t = useTranslations("configuration.columns");
  return {
    name: {
      key: "name",
      header: t("name"),
      sort: "name",
      className: "lg:max-w-36 lg:truncate xl:max-w-48",
      cell: ({ name, key }) => (name === key ? <Nothing label={t("sameAsKey")} /> : <span title={name}>{name}</span>),
    },
    key: {
      key: "key",
      header: t("key"),
      sort: "key",
      className: "lg:max-w-48 lg:truncate xl:max-w-56",
      cell: ({ key }) => (
        <code title={key} className="font-mono text-[0.8125rem]">
          {key}
        </code>
      ),
    },
    changed: {
      key: "updatedAt",
      header: t("changed"),
      sort: "updatedAt",
      className: "whitespace-nowrap text-muted-foreground",
      cell: ({ updatedAt, updatedBy }) => (
        <span className="flex min-w-0 gap-x-1.5 lg:flex-col">
          <RelativeTime date={updatedAt} />
          {updatedBy && (
            <>
              <span aria-hidden className="lg:hidden">
                ·
              </span>
              <span title={updatedBy.name} className="truncate lg:max-w-40 lg:text-xs lg:leading-4.5">
                {updatedBy.name}
              </span>
            </>
          )}
        </span>
      ),
    },
  };
}
