import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { ExpiringCertificates } from "@/components/home/expiring-certificates";
import { FirstSteps } from "@/components/home/first-steps";
import { RecentApps } from "@/components/home/recent-apps";
import { SectionCards } from "@/components/home/section-cards";
import { Alert } from "@/components/ui/alert";
import { call, requireAdmin } from "@/lib/api/call";
import { getApiTokens } from "@/lib/features/api-tokens/operations/get-api-tokens";
import { getApps } from "@/lib/features/apps/operations/get-apps";
import { getAuditLogs } from "@/lib/features/audit/operations/get-audit-logs";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getExpiringCertificates } from "@/lib/features/certificates/operations/get-expiring-certificates";
import { getMailState } from "@/lib/features/config/operations/get-mail-state";
import { getRolePermissions } from "@/lib/features/permissions/operations/get-role-permissions";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getRoles } from "@/lib/features/roles/operations/get-roles";
import { getUsers } from "@/lib/features/users/operations/get-users";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";

/**
 * Number of applications that are checked for the first steps. A console with more applications no longer needs them.
 */
const MAX_APPS = 100;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("dashboard");
  return { title: t("title") };
}

export default async function DashboardPage() {
  await requireAdmin();
  const [t, { user }, apps, platforms, users, roles, permissions, tokens, log, expiring, mail] = await Promise.all([
    getTranslations("dashboard"),
    call(getUserProfile, {}),
    call(getApps, { limit: MAX_APPS, sort: "-createdAt" }),
    call(getPlatforms, { limit: 1 }),
    call(getUsers, { limit: 1 }),
    call(getRoles, { limit: 1 }),
    call(getRolePermissions, { limit: 1 }),
    call(getApiTokens, { limit: 1 }),
    call(getAuditLogs, { limit: 1 }),
    call(getExpiringCertificates, {}),
    call(getMailState, {}),
  ]);
  const withEnvironment = apps.items.find(({ environmentCount }) => environmentCount > 0);
  const newest = withEnvironment ?? apps.items[0];
  const appHref = newest ? appPath(newest.id, true) : PAGES.adminApps;
  return (
    <>
      <PageHeader title={t("title")} description={t("greeting", { name: user.firstNames })} />
      {!mail.configured && (
        <Alert role="note" tone="warning" title={t("mail.title")}>
          {t.rich("mail.description", { code: (text) => <code className="font-mono text-[0.8125rem]">{text}</code> })}
        </Alert>
      )}
      <FirstSteps
        steps={[
          { key: "app", done: apps.total > 0, href: PAGES.adminApps },
          { key: "environment", done: withEnvironment !== undefined, href: appHref },
          { key: "release", done: apps.items.some(({ releaseCount }) => releaseCount > 0), href: appHref },
        ]}
      />
      <ExpiringCertificates {...expiring} />
      <RecentApps apps={apps.items} />
      <SectionCards
        counts={{
          apps: apps.total,
          platforms: platforms.total,
          users: users.total,
          roles: roles.total,
          permissions: permissions.total,
          appConfig: tokens.total,
          logs: log.total,
        }}
      />
    </>
  );
}
