import { Smartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { createdAtColumn } from "@/components/common/data-table/created-at-column";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { useStatusColumn, useStatusFilter } from "@/components/common/data-table/status";
import { EmptyState } from "@/components/common/empty-state";
import { Avatar } from "@/components/ui/avatar";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { CreatePlatformButton, UpdatePlatformButton } from "./platform-actions";

export type PlatformsTableProps = OperationOutput<"config/get-platforms"> & {
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"config/get-platforms">;
};

/** The table of platforms. */
export function PlatformsTable({ items, input, ...page }: PlatformsTableProps) {
  const t = useTranslations("platforms");
  const statusFilter = useStatusFilter("feminine");
  const statusColumn = useStatusColumn("feminine");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      {...page}
      search={t("search")}
      defaultSort="name"
      filters={[statusFilter]}
      toolbarEnd={<ExportButton path="config/get-platforms" input={input} total={page.total} />}
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: "name",
          className: "lg:max-w-64 xl:max-w-96",
          cell: ({ name, kind, logoUrl }) => (
            <span className="flex min-w-0 items-center gap-3">
              <Avatar shape="square" name={name} src={logoUrl} className="size-7" />
              <span className="flex min-w-0 flex-col">
                <span className="truncate" title={name}>
                  {name}
                </span>
                <span className="truncate font-normal text-muted-foreground text-xs leading-4.5 lg:hidden">
                  {t(`kinds.${kind}`)}
                </span>
              </span>
            </span>
          ),
        },
        { key: "kind", header: t("kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
        statusColumn,
        createdAtColumn(t("createdAt"), "phone"),
      ]}
      rowActions={(platform) => <UpdatePlatformButton platform={platform} />}
      empty={
        <EmptyState
          icon={<Smartphone />}
          title={t("empty.title")}
          description={t("empty.description")}
          action={<CreatePlatformButton />}
        />
      }
    />
  );
}
