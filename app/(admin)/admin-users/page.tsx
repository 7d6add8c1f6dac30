import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PeopleFrame } from "@/app/_components/people-frame";
import { fullName } from "@/components/common/full-name";
import { InviteButton } from "@/components/common/invite/invite-button";
import { UsersTable } from "@/components/users/users-table";
import { call, requireAdmin } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getRoles } from "@/lib/features/roles/operations/get-roles";
import { getUser } from "@/lib/features/users/operations/get-user";
import { getUsers } from "@/lib/features/users/operations/get-users";
import { getUsersInput } from "@/lib/features/users/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { OnePerson } from "./_components/one-person";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const { user } = await searchParams;
  const t = await getTranslations("people");
  if (typeof user === "string") {
    const person = await call(getUser, { id: user });
    return { title: `${fullName(person)} · ${t("tabs.users")}` };
  }
  return { title: `${t("tabs.users")} · ${t("title")}` };
}

export default async function UsersPage({ searchParams }: QueryPageProps) {
  const { userId } = await requireAdmin();
  const query = await searchParams;
  if (typeof query.user === "string") return <OnePerson id={query.user} ownId={userId} />;
  const input = listQuery(getUsersInput, query);
  const [users, roles] = await Promise.all([call(getUsers, input), call(getRoles, { limit: MAX_LIMIT })]);
  return (
    <PeopleFrame current="users" action={<InviteButton requestedAs="invite" />}>
      <UsersTable {...users} input={input} roles={roles.items} ownId={userId} />
    </PeopleFrame>
  );
}
