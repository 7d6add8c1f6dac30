import { useTranslations } from "next-intl";
import { StatusBadge, type StatusBadgeProps } from "../status-badge";
import type { DataTableColumn } from "./data-table";
import type { TableFilter } from "./table-filter";

type Gender = NonNullable<StatusBadgeProps["gender"]>;

/** The filter `status`, which selects active or inactive rows. */
export function useStatusFilter(gender: Gender): TableFilter {
  const t = useTranslations("common.status");
  const options = (["active", "inactive"] as const).map((value) => ({ value, label: t(value, { gender }) }));
  return { key: "status", label: t("label"), options };
}

/** The column that shows whether a row is active. */
export function useStatusColumn(gender: Gender): DataTableColumn<Pick<StatusBadgeProps, "status">> {
  const t = useTranslations("common.status");
  return {
    key: "status",
    header: t("label"),
    sort: "status",
    phone: ({ status }) => status !== "active",
    cell: ({ status }) => <StatusBadge status={status} gender={gender} />,
  };
}
