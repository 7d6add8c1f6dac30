import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { CreatePermissionButton } from "@/components/permissions/permission-actions";
import { PermissionsTable } from "@/components/permissions/permissions-table";
import { call, requireAdmin } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getRolePermissions } from "@/lib/features/permissions/operations/get-role-permissions";
import { getRolePermissionsInput } from "@/lib/features/permissions/schema";
import { getRoles } from "@/lib/features/roles/operations/get-roles";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("permissions");
  return { title: t("title") };
}

export default async function PermissionsPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const [t, permissions, roles] = await Promise.all([
    getTranslations("permissions"),
    call(getRolePermissions, listQuery(getRolePermissionsInput, await searchParams)),
    call(getRoles, { limit: MAX_LIMIT }),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} action={<CreatePermissionButton />} />
      <PermissionsTable {...permissions} roles={roles.items.filter(({ superAdmin }) => !superAdmin)} />
    </>
  );
}
