import { RelativeTime } from "../relative-time";
import type { DataTableColumn } from "./data-table";

/** The column of the time at which a row was created. */
export function createdAtColumn(
  header: string,
  hide?: DataTableColumn<unknown>["hide"],
): DataTableColumn<{ createdAt: string }> {
  return {
    key: "createdAt",
    header,
    sort: "createdAt",
    hide,
    className: "text-muted-foreground",
    cell: ({ createdAt }) => <RelativeTime date={createdAt} />,
  };
}
