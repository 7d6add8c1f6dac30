import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { RegisterOffer } from "@/components/devices/register-offer";
import { FeedButton } from "@/components/feeds/feed-button";
import { BuildsList } from "@/components/releases/builds/builds-list";
import { buildsView, needsRegistration } from "@/components/releases/builds/builds-view";
import { VISITS_COOKIE } from "@/components/releases/builds/last-visit";
import { PushOfferOnDemand } from "@/components/releases/builds/push-offer-on-demand";
import { Alert } from "@/components/ui/alert";
import { call, requireUser } from "@/lib/api/call";
import { getOwnDevices } from "@/lib/features/devices/operations/get-own-devices";
import { getInstallableReleases } from "@/lib/features/releases/operations/get-installable-releases";
import { getInstallableReleasesInput } from "@/lib/features/releases/schema";
import { getNotificationSettings } from "@/lib/features/testers/operations/get-notification-settings";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { ADMIN_NOTICE, FORBIDDEN_NOTICE } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

const APPS_PER_PAGE = 12;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("home");
  return { title: t("title") };
}

/** What the user can install: each application with the newest build for this device. */
export default async function HomePage({ searchParams }: QueryPageProps) {
  const [{ isAdmin }, query, headerStore, cookieStore] = await Promise.all([
    requireUser(),
    searchParams,
    headers(),
    cookies(),
  ]);
  const input = listQuery(getInstallableReleasesInput, query, { limit: APPS_PER_PAGE });
  const [t, apps, notifications] = await Promise.all([
    getTranslations("home"),
    call(getInstallableReleases, input),
    call(getNotificationSettings, {}),
  ]);
  const isTold = notifications.groups.length > 0 && notifications.push;
  const visits = cookieStore.get(VISITS_COOKIE)?.value;
  const view = buildsView(query, headerStore, visits);
  // Where a profile decides, and this is a device that it can list.
  const mayRegister = needsRegistration(apps.items, view.device);
  const ownDevices = mayRegister ? await call(getOwnDevices, { os: view.device.os, limit: 1 }) : null;
  return (
    <>
      <PageHeader title={t("title")} secondary={<FeedButton />} />
      {query.notice === ADMIN_NOTICE && !isAdmin && (
        <Alert title={t("forAdministrators.title")}>{t("forAdministrators.description")}</Alert>
      )}
      {query.notice === FORBIDDEN_NOTICE && !isAdmin && (
        <Alert title={t("noAccess")}>{t("forAdministrators.description")}</Alert>
      )}
      {ownDevices?.total === 0 && <RegisterOffer />}
      <PushOfferOnDemand settings={isTold ? notifications : null} />
      <BuildsList {...apps} view={view} visits={visits} isAdmin={isAdmin} searched={Boolean(input.search)} />
    </>
  );
}
