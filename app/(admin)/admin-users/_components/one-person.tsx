import { getTranslations } from "next-intl/server";
import { fullName } from "@/components/common/full-name";
import { PageHeader } from "@/components/common/page-header";
import { StatusBadge } from "@/components/common/status-badge";
import { PersonDevices } from "@/components/devices/person-devices";
import { AccessSummary } from "@/components/permissions/access-summary";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { PersonActivity } from "@/components/users/person-activity";
import { PersonFacts } from "@/components/users/person-facts";
import { PersonSessions } from "@/components/users/person-sessions";
import { UserMenu } from "@/components/users/user-actions";
import { call } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getAuditLogs } from "@/lib/features/audit/operations/get-audit-logs";
import { getAuditLogsInput } from "@/lib/features/audit/schema";
import { getDevices } from "@/lib/features/devices/operations/get-devices";
import { getDevicesInput } from "@/lib/features/devices/schema";
import { getRolePermissionsByRoleId } from "@/lib/features/permissions/operations/get-role-permissions-by-role-id";
import { getRole } from "@/lib/features/roles/operations/get-role";
import { getSessionsOfUser } from "@/lib/features/users/operations/get-sessions-of-user";
import { getUser } from "@/lib/features/users/operations/get-user";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { RecordPage } from "../../../_components/record-page";

/** Number of records of the audit log that the page shows. */
const SHOWN_RECORDS = 8;
const SHOWN_DEVICES = 5;

/** A person: what they can see, what they did last, their devices, and where they are signed in. */
export async function OnePerson({ id, ownId }: { id: string; ownId: string }) {
  const user = await call(getUser, { id });
  const [t, users, role, permissions, sessions, records, devices] = await Promise.all([
    getTranslations("people"),
    getTranslations("users"),
    call(getRole, { id: user.role.id }),
    call(getRolePermissionsByRoleId, { roleId: user.role.id, limit: MAX_LIMIT }),
    call(getSessionsOfUser, { userId: id }),
    call(getAuditLogs, listQuery(getAuditLogsInput, {}, { userId: id, limit: SHOWN_RECORDS })),
    call(getDevices, listQuery(getDevicesInput, {}, { userId: id, limit: SHOWN_DEVICES })),
  ]);
  const isSelf = id === ownId;
  return (
    <RecordPage of={user.id}>
      <PageHeader
        title={fullName(user)}
        description={user.email}
        breadcrumbs={[{ label: t("title"), href: PAGES.adminUsers }]}
        media={<Avatar name={fullName(user)} src={user.avatarUrl} className="size-10 self-start" />}
        badge={
          <>
            {isSelf && <Badge tone="accent">{users("you")}</Badge>}
            {user.status === "inactive" ? (
              <StatusBadge status={user.status} />
            ) : (
              user.invited && <Badge tone="info">{users("invited")}</Badge>
            )}
          </>
        }
        secondary={<UserMenu user={user} isSelf={isSelf} />}
      />
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <AccessSummary role={role} permissions={permissions.items} />
          <PersonActivity userId={id} records={records.items} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <PersonFacts user={user} />
          <PersonDevices name={fullName(user)} devices={devices} />
          <PersonSessions user={user} sessions={sessions.items} />
        </div>
      </div>
    </RecordPage>
  );
}
