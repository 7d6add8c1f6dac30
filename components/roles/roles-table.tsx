import { ShieldCheck, UserCog } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge } from "@/components/ui/badge";
import type { OperationOutput } from "@/lib/client/operation-types";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { CreateRoleButton, UpdateRoleButton } from "./role-actions";

export type RolesTableProps = OperationOutput<"config/get-roles">;

/** The table of roles with the number of their users and permissions. */
export function RolesTable({ items, total, totalIsAtLeast, nextCursor }: RolesTableProps) {
  const t = useTranslations("roles");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowKey={({ id }) => id}
      total={total}
      totalIsAtLeast={totalIsAtLeast}
      nextCursor={nextCursor}
      search={t("search")}
      defaultSort="name"
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: "name",
          className: "lg:max-w-96",
          cell: ({ name, superAdmin }) => (
            <span className="flex min-w-0 items-center gap-2">
              <span className="truncate" title={name}>
                {name}
              </span>
              {superAdmin && <ShieldCheck aria-hidden className="size-4 shrink-0 text-link" />}
            </span>
          ),
        },
        {
          key: "users",
          header: t("users"),
          align: "end",
          cell: ({ id, name, userCount }) => (
            <Count
              value={userCount}
              label={t("usersOf", { name, count: userCount })}
              href={pagePath(PAGES.adminUsers, { roleId: id })}
            />
          ),
        },
        {
          key: "permissions",
          header: t("permissions"),
          align: "end",
          cell: ({ id, name, permissionCount, superAdmin }) =>
            superAdmin ? (
              <Badge tone="accent">{t("everything")}</Badge>
            ) : permissionCount === 0 ? (
              <Badge tone="outline">{t("nothing")}</Badge>
            ) : (
              <Count
                value={permissionCount}
                label={t("permissionsOf", { name, count: permissionCount })}
                href={pagePath(PAGES.adminPermissions, { roleId: id })}
              />
            ),
        },
        {
          key: "createdAt",
          header: t("createdAt"),
          sort: "createdAt",
          hide: "phone",
          className: "whitespace-nowrap text-muted-foreground",
          cell: ({ createdAt }) => <RelativeTime date={createdAt} />,
        },
        {
          key: "actions",
          header: "",
          actions: true,
          cell: (role) => !role.superAdmin && <UpdateRoleButton role={role} />,
        },
      ]}
      empty={
        <EmptyState
          icon={<UserCog />}
          title={t("empty.title")}
          description={t("empty.description")}
          action={<CreateRoleButton />}
        />
      }
    />
  );
}

/** A number that links to the counted items, unless it is 0. */
function Count({ value, label, href }: { value: number; label: string; href: string }) {
  const format = useFormatter();
  if (value === 0) return <span className="text-muted-foreground tabular-nums">{format.number(value)}</span>;
  return (
    <HoverLink
      href={href}
      aria-label={label}
      className="inline-flex min-h-6 items-center rounded-sm max-lg:justify-self-start font-medium text-link tabular-nums underline-offset-4 hover:underline"
    >
      {format.number(value)}
    </HoverLink>
  );
}
