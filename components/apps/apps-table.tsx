import { Boxes } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { useStatusColumn, useStatusFilter } from "@/components/common/data-table/status";
import { EmptyState } from "@/components/common/empty-state";
import { Nothing } from "@/components/common/nothing";
import { RelativeTime } from "@/components/common/relative-time";
import { Avatar } from "@/components/ui/avatar";
import { cn } from "@/components/ui/cn";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";
import { CreateAppButton, UpdateAppButton } from "./app-actions";

export type AppsTableProps = OperationOutput<"apps/get-apps"> & {
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"apps/get-apps">;
};

/** The table of all applications, with their counts. */
export function AppsTable({ items, input, ...page }: AppsTableProps) {
  const t = useTranslations("apps");
  const statusFilter = useStatusFilter("feminine");
  const statusColumn = useStatusColumn("feminine");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowHref={({ id }) => appPath(id, true)}
      {...page}
      search={t("search")}
      defaultSort="name"
      filters={[statusFilter]}
      toolbarEnd={<ExportButton path="apps/get-apps" input={input} total={page.total} />}
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: "name",
          className: "lg:max-w-60 xl:max-w-80",
          cell: ({ name, description, identifier, iconUrl }) => (
            <span className="flex min-w-0 items-center gap-3">
              <Avatar shape="square" name={name} src={iconUrl} className="size-8" />
              <span className="flex min-w-0 flex-col">
                <span className="truncate" title={name}>
                  {name}
                </span>
                <SecondLine className={description ? undefined : "lg:hidden"}>{description ?? identifier}</SecondLine>
              </span>
            </span>
          ),
        },
        {
          key: "identifier",
          header: t("identifier"),
          sort: "identifier",
          className: "lg:max-w-48 xl:max-w-72",
          cell: ({ identifier }) => (
            <span className="block break-all font-mono text-muted-foreground lg:truncate" title={identifier}>
              {identifier}
            </span>
          ),
        },
        {
          key: "environments",
          header: t("environments"),
          align: "end",
          hide: "narrow",
          cell: ({ environmentCount }) => <Count value={environmentCount} />,
        },
        {
          key: "releases",
          header: t("releases"),
          align: "end",
          hide: "narrow",
          cell: ({ releaseCount }) => <Count value={releaseCount} />,
        },
        {
          key: "lastRelease",
          header: t("lastRelease"),
          sort: "lastReleaseAt",
          className: "whitespace-nowrap text-muted-foreground",
          cell: ({ lastReleaseAt }) =>
            lastReleaseAt ? <RelativeTime date={lastReleaseAt} /> : <Nothing label={t("noRelease")} />,
        },
        statusColumn,
      ]}
      rowActions={(app) => <UpdateAppButton app={app} />}
      empty={
        <EmptyState
          icon={<Boxes />}
          title={t("empty.title")}
          description={t("empty.description")}
          action={<CreateAppButton />}
          docs={`${PAGES.docs}/first-release`}
        />
      }
    />
  );
}

function Count({ value }: { value: number }) {
  const format = useFormatter();
  return <span className={value === 0 ? "text-muted-foreground" : undefined}>{format.number(value)}</span>;
}

/** What is below the name of an application. */
function SecondLine({ className, children }: { className: string | undefined; children: string }) {
  return (
    <span className={cn("truncate font-normal text-muted-foreground text-xs leading-4.5", className)} title={children}>
      {children}
    </span>
  );
}
