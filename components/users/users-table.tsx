import { UsersRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { useStatusColumn, useStatusFilter } from "@/components/common/data-table/status";
import { EmptyState } from "@/components/common/empty-state";
import { fullName } from "@/components/common/full-name";
import { Nothing } from "@/components/common/nothing";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import type { OperationOutput } from "@/lib/client/operation-types";
import { providerSchema } from "@/lib/features/auth/schema";
import type { AdministeredUser } from "@/lib/features/users/schema";
import { CreateUserButton, UserMenu } from "./user-actions";

export type UsersTableProps = OperationOutput<"auth/get-users"> & {
  /** The roles to filter by. */
  roles: readonly { id: string; name: string }[];
  /** The ID of the signed-in user. */
  ownId: string;
};

/** The table of users. */
export function UsersTable({ items, total, totalIsAtLeast, nextCursor, roles, ownId }: UsersTableProps) {
  const t = useTranslations("users");
  const person = useTranslations("profile");
  const statusFilter = useStatusFilter("masculine");
  const statusColumn = useStatusColumn("masculine");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowKey={({ id }) => id}
      total={total}
      totalIsAtLeast={totalIsAtLeast}
      nextCursor={nextCursor}
      search={t("search")}
      defaultSort="firstNames"
      filters={[
        statusFilter,
        { key: "roleId", label: person("role"), options: roles.map(({ id, name }) => ({ value: id, label: name })) },
        {
          key: "provider",
          label: t("provider"),
          options: providerSchema.options.map((value) => ({ value, label: t(`providers.${value}`) })),
        },
      ]}
      columns={[
        {
          key: "firstNames",
          header: person("firstNames"),
          sort: "firstNames",
          className: "lg:max-w-56",
          cell: (user) => <FirstNames user={user} isSelf={user.id === ownId} />,
        },
        {
          key: "lastNames",
          header: person("lastNames"),
          sort: "lastNames",
          className: "lg:max-w-40",
          cell: ({ lastNames }) => <Text>{lastNames}</Text>,
        },
        {
          key: "email",
          header: person("email"),
          sort: "email",
          className: "text-muted-foreground lg:max-w-56",
          cell: ({ email }) => <Text>{email}</Text>,
        },
        {
          key: "provider",
          header: t("provider"),
          className: "whitespace-nowrap",
          cell: ({ provider }) => t(`providers.${provider}`),
        },
        { key: "role", header: person("role"), className: "lg:max-w-40", cell: ({ role }) => <Text>{role.name}</Text> },
        {
          key: "team",
          header: person("team"),
          hide: "narrow",
          className: "text-muted-foreground lg:max-w-32",
          cell: ({ team }) => (team ? <Text>{team}</Text> : <Nothing label={person("noTeam")} />),
        },
        statusColumn,
        {
          key: "actions",
          header: "",
          actions: true,
          cell: (user) => <UserMenu user={user} isSelf={user.id === ownId} />,
        },
      ]}
      empty={
        <EmptyState
          icon={<UsersRound />}
          title={t("empty.title")}
          description={t("empty.description")}
          action={<CreateUserButton />}
        />
      }
    />
  );
}

function FirstNames({ user, isSelf }: { user: AdministeredUser; isSelf: boolean }) {
  const t = useTranslations("users");
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={fullName(user)} src={user.avatarUrl} className="size-7" />
      <span className="truncate" title={user.firstNames}>
        {user.firstNames}
      </span>
      {isSelf && <Badge tone="accent">{t("you")}</Badge>}
      {user.invited && (
        <Badge tone="info" title={t("invitedHint")}>
          {t("invited")}
        </Badge>
      )}
    </span>
  );
}

/** Text that is truncated in narrow tables; the full text is in its title and on phones. */
function Text({ children }: { children: string }) {
  return (
    <span className="block break-words lg:truncate" title={children}>
      {children}
    </span>
  );
}
