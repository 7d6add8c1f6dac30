import { UsersRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { InviteFirstButton, InvitePlace } from "@/components/common/invite/invite-button";
import type { OperationOutput } from "@/lib/client/operation-types";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { useLastSignInColumn, useNameColumn, useProviderColumn, useUserStatusColumn } from "./user-columns";

export type RoleMembersProps = OperationOutput<"auth/get-users"> & { role: { id: string; name: string } };

/** The users with a role. */
export function RoleMembers({ role, items, ...page }: RoleMembersProps) {
  const t = useTranslations("people.members");
  const users = useTranslations("users");
  const statusColumn = useUserStatusColumn();
  const nameColumn = useNameColumn();
  const providerColumn = useProviderColumn();
  const lastSignInColumn = useLastSignInColumn();
  return (
    <section aria-label={t("title")} className="flex flex-col gap-3">
      <h2 className="font-semibold text-base tracking-tight">{t("title")}</h2>
      <InvitePlace role={role}>
        <DataTable
          label={t("title")}
          rows={items}
          rowHref={({ id }) => pagePath(PAGES.adminUsers, { user: id })}
          {...page}
          search={users("search")}
          defaultSort="firstNames"
          columns={[nameColumn, providerColumn, lastSignInColumn, statusColumn]}
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
    </section>
  );
}
