import { Users } from "lucide-react";
import { useTranslations } from "next-intl";
import { createdAtColumn } from "@/components/common/data-table/created-at-column";
import { DataTable } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import type { OperationOutput } from "@/lib/client/operation-types";
import { PAGES, testersPath } from "@/lib/kernel/navigation/pages";
import { CreateGroupButton } from "./create-group-button";
import { GroupMenu } from "./group-menu";

export type GroupsTableProps = OperationOutput<"testers/get-tester-groups"> & {
  appId: string;
  /** The names of the application's environments. */
  environments: readonly { id: string; name: string }[];
};

/** The groups of testers of an application. */
export function GroupsTable({ items, appId, environments, ...page }: GroupsTableProps) {
  const t = useTranslations("testers");
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowHref={({ id }) => testersPath(appId, id)}
      {...page}
      search={t("search")}
      defaultSort="name"
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: "name",
          className: "lg:max-w-56 xl:max-w-96",
          cell: ({ name }) => (
            <span className="block truncate" title={name}>
              {name}
            </span>
          ),
        },
        {
          key: "members",
          header: t("memberCount"),
          align: "end",
          phone: "fact",
          className: "whitespace-nowrap",
          cell: ({ members }) => t("tell.members", { count: members }),
        },
        { key: "pending", header: t("pendingCount"), align: "end", cell: ({ pending }) => pending },
        {
          key: "environments",
          header: t("environments"),
          className: "text-muted-foreground",
          cell: ({ environmentIds }) =>
            environmentIds === null
              ? t("allEnvironments")
              : environmentIds.flatMap((id) => names.get(id) ?? []).join(", "),
        },
        createdAtColumn(t("createdAt"), "narrow"),
      ]}
      rowActions={(group) => <GroupMenu group={group} environments={environments} />}
      empty={
        <EmptyState
          icon={<Users />}
          title={t("empty")}
          description={t("emptyHint")}
          docs={`${PAGES.docs}/tester-groups`}
          action={<CreateGroupButton appId={appId} environments={environments} />}
        />
      }
    />
  );
}
