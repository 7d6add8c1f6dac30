import { getTranslations } from "next-intl/server";
import { InviteButton } from "@/components/common/invite/invite-button";
import { PageHeader } from "@/components/common/page-header";
import { roleLabel } from "@/components/common/permissions/role-label";
import { RoleAccess } from "@/components/permissions/role-access";
import { RenameRoleButton } from "@/components/roles/role-actions";
import { RoleMembers } from "@/components/users/role-members";
import { call } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getRolePermissionsByRoleId } from "@/lib/features/permissions/operations/get-role-permissions-by-role-id";
import { getRole } from "@/lib/features/roles/operations/get-role";
import { getUsers } from "@/lib/features/users/operations/get-users";
import { getUsersInput } from "@/lib/features/users/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { RecordPage } from "../../../_components/record-page";

/** A role with its access and its members. */
export async function OneRole({ id, query }: { id: string; query: SearchParams }) {
  const [t, roles, role, permissions, members] = await Promise.all([
    getTranslations("people"),
    getTranslations("roles"),
    call(getRole, { id }),
    call(getRolePermissionsByRoleId, { roleId: id, limit: MAX_LIMIT }),
    call(getUsers, listQuery(getUsersInput, query, { roleId: id })),
  ]);
  return (
    <RecordPage of={role.id}>
      <PageHeader
        title={roleLabel(role.name, roles)}
        description={t(role.superAdmin ? "superAdminDescription" : "roleDescription")}
        breadcrumbs={[
          { label: t("title"), href: PAGES.adminUsers },
          { label: t("tabs.roles"), href: PAGES.adminRoles },
        ]}
        secondary={!role.superAdmin && <RenameRoleButton role={role} />}
        action={<InviteButton role={role} />}
      />
      {!role.superAdmin && <RoleAccess role={role} permissions={permissions.items} />}
      <RoleMembers role={role} {...members} />
    </RecordPage>
  );
}
