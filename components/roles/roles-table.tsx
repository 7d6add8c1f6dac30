import { ShieldCheck, UserCog } from "lucide-react";
import { useTranslations } from "next-intl";
import { createdAtColumn } from "@/components/common/data-table/created-at-column";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { EmptyState } from "@/components/common/empty-state";
import { roleLabel } from "@/components/common/permissions/role-label";
import { Badge } from "@/components/ui/badge";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { CreateRoleButton, UpdateRoleButton } from "./role-actions";

export type RolesTableProps = OperationOutput<"config/get-roles"> & {
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"config/get-roles">;
};

/** The table of roles. A row opens the role with its members and access. */
export function RolesTable({ items, input, ...page }: RolesTableProps) {
  const t = useTranslations("roles");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      {...page}
      search={t("search")}
      defaultSort="name"
      toolbarEnd={<ExportButton path="config/get-roles" input={input} total={page.total} />}
      rowHref={({ id }) => pagePath(PAGES.adminRoles, { role: id })}
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: "name",
          className: "lg:max-w-56 xl:max-w-96",
          cell: ({ name, superAdmin }) => (
            <span className="flex min-w-0 items-center gap-2">
              <span className="truncate" title={roleLabel(name, t)}>
                {roleLabel(name, t)}
              </span>
              {superAdmin && <ShieldCheck aria-hidden className="size-4 shrink-0 text-link" />}
            </span>
          ),
        },
        {
          key: "users",
          header: t("users"),
          phone: "fact",
          className: "whitespace-nowrap tabular-nums",
          cell: ({ userCount }) => t("userCount", { count: userCount }),
        },
        {
          key: "access",
          header: t("access"),
          phone: ({ permissionCount, superAdmin }) => permissionCount === 0 && !superAdmin,
          cell: ({ permissionCount, superAdmin }) =>
            superAdmin ? (
              <Badge tone="accent">{t("everything")}</Badge>
            ) : permissionCount === 0 ? (
              <Badge tone="warning">{t("nothing")}</Badge>
            ) : (
              t("permissionCount", { count: permissionCount })
            ),
        },
        { ...createdAtColumn(t("createdAt"), "phone"), className: "whitespace-nowrap text-muted-foreground" },
      ]}
      rowActions={(role) => !role.superAdmin && <UpdateRoleButton role={role} />}
      empty={
        <EmptyState
          icon={<UserCog />}
          title={t("empty.title")}
          description={t("empty.description")}
          action={<CreateRoleButton />}
          docs={`${PAGES.docs}/permissions`}
        />
      }
    />
  );
}
