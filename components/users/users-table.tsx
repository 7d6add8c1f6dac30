import { UsersRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { useStatusFilter } from "@/components/common/data-table/status";
import { EmptyState } from "@/components/common/empty-state";
import { InviteButton } from "@/components/common/invite/invite-button";
import { Nothing } from "@/components/common/nothing";
import { roleLabel } from "@/components/common/permissions/role-label";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { providerSchema } from "@/lib/features/auth/schema";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { UserMenu } from "./user-actions";
import {
  useLastSignInColumn,
  useNameColumn,
  useProviderColumn,
  useRoleColumn,
  useUserStatusColumn,
} from "./user-columns";

export type UsersTableProps = OperationOutput<"auth/get-users"> & {
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"auth/get-users">;
  /** The roles to filter by. */
  roles: readonly { id: string; name: string }[];
  /** The ID of the signed-in user. */
  ownId: string;
};

/** The table of users. */
export function UsersTable({ items, input, roles, ownId, ...page }: UsersTableProps) {
  const t = useTranslations("users");
  const person = useTranslations("profile");
  const roleTexts = useTranslations("roles");
  const statusFilter = useStatusFilter("masculine");
  const statusColumn = useUserStatusColumn();
  const nameColumn = useNameColumn(ownId);
  const roleColumn = useRoleColumn("lg:max-w-36 2xl:max-w-48");
  const providerColumn = useProviderColumn();
  const lastSignInColumn = useLastSignInColumn();
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowHref={({ id }) => pagePath(PAGES.adminUsers, { user: id })}
      {...page}
      search={t("search")}
      defaultSort="firstNames"
      filters={[
        statusFilter,
        {
          key: "roleId",
          label: person("role"),
          options: roles.map(({ id, name }) => ({ value: id, label: roleLabel(name, roleTexts) })),
        },
        {
          key: "provider",
          label: t("provider"),
          options: providerSchema.options.map((value) => ({ value, label: t(`providers.${value}`) })),
        },
      ]}
      toolbarEnd={
        <ExportButton path="auth/get-users" input={input} total={page.total} totalIsAtLeast={page.totalIsAtLeast} />
      }
      columns={[
        nameColumn,
        roleColumn,
        {
          key: "team",
          header: person("team"),
          hide: "narrow",
          className: "text-muted-foreground lg:max-w-32",
          cell: ({ team }) =>
            team ? (
              <span className="block break-words lg:truncate" title={team}>
                {team}
              </span>
            ) : (
              <Nothing label={person("noTeam")} />
            ),
        },
        { ...providerColumn, hide: "narrow" },
        lastSignInColumn,
        statusColumn,
      ]}
      rowActions={(user) => <UserMenu user={user} isSelf={user.id === ownId} />}
      empty={
        <EmptyState
          icon={<UsersRound />}
          title={t("empty.title")}
          description={t("empty.description")}
          action={<InviteButton variant="secondary" />}
        />
      }
    />
  );
}
