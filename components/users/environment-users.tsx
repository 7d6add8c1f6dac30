import { UsersRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { InviteFirstButton, InvitePlace } from "@/components/common/invite/invite-button";
import { AccessLevel } from "@/components/common/permissions/access-level";
import { Badge } from "@/components/ui/badge";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { EnvironmentUser } from "@/lib/features/users/schema";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { useLastSignInColumn, useNameColumn, useRoleColumn } from "./user-columns";

export type EnvironmentUsersProps = OperationOutput<"apps/get-environment-users"> & {
  app: { id: string; name: string };
  /** The ID of the signed-in user. */
  ownId: string;
};

/** The people who can see an environment: their level there, and the role and permissions that give it. */
export function EnvironmentUsers({ app, ownId, items, ...page }: EnvironmentUsersProps) {
  const t = useTranslations("environments.access");
  const users = useTranslations("users");
  const nameColumn = useNameColumn(ownId);
  const roleColumn = useRoleColumn("lg:max-w-40 xl:max-w-56");
  const lastSignInColumn = useLastSignInColumn();
  return (
    <InvitePlace app={app}>
      <DataTable<EnvironmentUser>
        label={t("title")}
        rows={items}
        rowKey={({ id }) => id}
        rowHref={({ id }) => pagePath(PAGES.adminUsers, { user: id })}
        {...page}
        search={users("search")}
        defaultSort="firstNames"
        columns={[
          nameColumn,
          {
            key: "level",
            header: t("level"),
            phone: () => true,
            className: "whitespace-nowrap",
            cell: ({ administers, scopes }) =>
              administers ? <Badge tone="accent">{t("administrator")}</Badge> : <AccessLevel scopes={scopes} />,
          },
          roleColumn,
          {
            key: "source",
            header: t("source"),
            className: "text-muted-foreground",
            cell: ({ sources }) =>
              [...new Set(sources.map(({ place }) => place))]
                .map((place) => t(`places.${place}`, { app: app.name }))
                .join(", ") || t("places.everywhere"),
          },
          { ...lastSignInColumn, hide: "narrow" },
        ]}
        empty={
          <EmptyState
            icon={<UsersRound />}
            title={t("empty.title")}
            description={t("empty.description")}
            action={<InviteFirstButton />}
          />
        }
      />
    </InvitePlace>
  );
}
