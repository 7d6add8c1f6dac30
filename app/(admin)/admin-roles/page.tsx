import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { CreateRoleButton } from "@/components/roles/role-actions";
import { RolesTable } from "@/components/roles/roles-table";
import { call, requireAdmin } from "@/lib/api/call";
import { getRoles } from "@/lib/features/roles/operations/get-roles";
import { getRolesInput } from "@/lib/features/roles/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("roles");
  return { title: t("title") };
}

export default async function RolesPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const [t, roles] = await Promise.all([
    getTranslations("roles"),
    call(getRoles, listQuery(getRolesInput, await searchParams)),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} action={<CreateRoleButton />} />
      <RolesTable {...roles} />
    </>
  );
}
