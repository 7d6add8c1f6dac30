import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PeopleFrame } from "@/app/_components/people-frame";
import { isFiltered } from "@/components/common/data-table/is-filtered";
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
  const t = await getTranslations("people");
  return { title: `${t("tabs.permissions")} · ${t("title")}` };
}

export default async function PermissionsPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const query = await searchParams;
  const input = listQuery(getRolePermissionsInput, query);
  const [permissions, roles] = await Promise.all([
    call(getRolePermissions, input),
    call(getRoles, { limit: MAX_LIMIT }),
  ]);
  return (
    <PeopleFrame
      current="permissions"
      action={(permissions.total > 0 || isFiltered(query)) && <CreatePermissionButton />}
    >
      <PermissionsTable {...permissions} input={input} roles={roles.items.filter(({ superAdmin }) => !superAdmin)} />
    </PeopleFrame>
  );
}
