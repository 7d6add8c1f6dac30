import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PeopleFrame } from "@/app/_components/people-frame";
import { InviteButton } from "@/components/common/invite/invite-button";
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
  const t = await getTranslations("people");
  return { title: `${t("tabs.users")} · ${t("title")}` };
}

export default async function UsersPage({ searchParams }: QueryPageProps) {
  const { userId } = await requireAdmin();
  const input = listQuery(getUsersInput, await searchParams);
  const [users, roles] = await Promise.all([call(getUsers, input), call(getRoles, { limit: MAX_LIMIT })]);
  return (
    <PeopleFrame current="users" secondary={<CreateUserButton />} action={<InviteButton requestedAs="invite" />}>
      <UsersTable {...users} input={input} roles={roles.items} ownId={userId} />
    </PeopleFrame>
  );
}
