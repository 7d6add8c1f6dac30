import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { InviteButton } from "@/components/common/invite/invite-button";
import { PageHeader } from "@/components/common/page-header";
import { CreateUserButton } from "@/components/users/user-actions";
import { UsersTable } from "@/components/users/users-table";
import { call, requireAdmin } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getRoles } from "@/lib/features/roles/operations/get-roles";
import { getUsers } from "@/lib/features/users/operations/get-users";
import { getUsersInput } from "@/lib/features/users/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("users");
  return { title: t("title") };
}

export default async function UsersPage({ searchParams }: QueryPageProps) {
  const { userId } = await requireAdmin();
  const [t, users, roles] = await Promise.all([
    getTranslations("users"),
    call(getUsers, listQuery(getUsersInput, await searchParams)),
    call(getRoles, { limit: MAX_LIMIT }),
  ]);
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        secondary={<CreateUserButton />}
        action={<InviteButton />}
      />
      <UsersTable {...users} roles={roles.items} ownId={userId} />
    </>
  );
}
