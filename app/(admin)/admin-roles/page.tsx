import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PeopleFrame } from "@/app/_components/people-frame";
import { CreateRoleButton } from "@/components/roles/role-actions";
import { RolesTable } from "@/components/roles/roles-table";
import { call, requireAdmin } from "@/lib/api/call";
import { getRole } from "@/lib/features/roles/operations/get-role";
import { getRoles } from "@/lib/features/roles/operations/get-roles";
import { getRolesInput } from "@/lib/features/roles/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { OneRole } from "./_components/one-role";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const { role } = await searchParams;
  const t = await getTranslations("people");
  if (typeof role !== "string") return { title: `${t("tabs.roles")} · ${t("title")}` };
  const { name } = await call(getRole, { id: role });
  return { title: `${name} · ${t("tabs.roles")}` };
}

export default async function RolesPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const query = await searchParams;
  if (typeof query.role === "string") return <OneRole id={query.role} query={query} />;
  const input = listQuery(getRolesInput, query);
  const roles = await call(getRoles, input);
  return (
    <PeopleFrame current="roles" action={<CreateRoleButton />}>
      <RolesTable {...roles} input={input} />
    </PeopleFrame>
  );
}
