import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CreateAppButton } from "@/components/apps/app-actions";
import { AdoptionPlots, SystemsPlot } from "@/components/common/activity/activity-plots";
import { InviteButton } from "@/components/common/invite/invite-button";
import { PageHeader } from "@/components/common/page-header";
import { CreateEnvironmentButton } from "@/components/environments/environment-actions";
import { AppActivity } from "@/components/home/app-activity";
import { ATTENTION_ALL, ATTENTION_QUERY, AttentionList } from "@/components/home/attention-list";
import { licenseEnd } from "@/components/home/attention-order";
import { FirstSteps } from "@/components/home/first-steps";
import { NewestFilters } from "@/components/home/newest-filters";
import { NewestReleases } from "@/components/home/newest-releases";
import { SectionLinks } from "@/components/home/section-links";
import { StorageLine } from "@/components/home/storage-line";
import { CreateRelease, CreateReleaseButton } from "@/components/releases/publishing/create-release";
import { UnfinishedUploadsNotice } from "@/components/releases/publishing/unfinished-uploads-notice";
import { releaseSummary } from "@/components/releases/release-summary";
import { ShareButton } from "@/components/releases/sharing/share-button";
import { Card, CardContent } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { call, requireAdmin } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getDashboard } from "@/lib/features/dashboard/operations/get-dashboard";
import { sumOf } from "@/lib/features/dashboard/rules";
import { getDashboardInput, RECENT_DAYS } from "@/lib/features/dashboard/schema";
import { getLicense } from "@/lib/features/license/operations/get-license";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("dashboard");
  return { title: t("title") };
}

export default async function DashboardPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const query = await searchParams;
  const filter = listQuery(getDashboardInput, query);
  const [t, dashboard, license, platforms, profile, app] = await Promise.all([
    getTranslations("dashboard"),
    call(getDashboard, filter),
    call(getLicense, {}),
    call(getPlatforms, { limit: MAX_LIMIT }),
    call(getUserProfile, {}),
    filter.appId ? call(getApp, { id: filter.appId }) : null,
  ]);
  const { attention, releases, apps, activity, storage, counts } = dashboard;
  const week = activity.days.slice(-RECENT_DAYS);
  const newestApp = apps[0];
  return (
    <CreateRelease place={null}>
      <PageHeader
        title={t("title")}
        description={
          counts.releases === 0
            ? t("drop")
            : t("week", { releases: sumOf(week, "releases"), installs: sumOf(week, "installs") })
        }
        action={<CreateReleaseButton />}
      />
      <UnfinishedUploadsNotice place={null} />
      <AttentionList items={attention} license={licenseEnd(license)} all={query[ATTENTION_QUERY] === ATTENTION_ALL} />
      <FirstSteps
        tour={!profile.tourDismissed}
        steps={[
          { key: "app", done: counts.apps > 0, action: <CreateAppButton variant="secondary" stay /> },
          {
            key: "environment",
            done: counts.environments > 0,
            action: newestApp && <CreateEnvironmentButton appId={newestApp.id} variant="secondary" />,
          },
          {
            key: "release",
            done: counts.releases > 0,
            action: <CreateReleaseButton variant="secondary" />,
          },
          {
            key: "tester",
            done: counts.testers > 0,
            action: (
              <InviteButton variant="secondary" app={newestApp && { id: newestApp.id, name: newestApp.name }}>
                {t("steps.tester.action")}
              </InviteButton>
            ),
          },
        ]}
      />
      <div className={cn("grid min-w-0 items-start gap-4", apps.length > 0 && "xl:grid-cols-[minmax(0,1fr)_20rem]")}>
        {apps.length > 0 && (
          <div className="flex min-w-0 flex-col gap-4">
            <NewestReleases
              items={releases}
              filters={<NewestFilters app={app?.name} platforms={platforms.items} />}
              filtered={Object.keys(filter).length > 0}
              share={(release) => <ShareButton release={releaseSummary(release)} mayUpdate size="sm" />}
            />
            <AppActivity apps={apps} total={counts.apps} />
          </div>
        )}
        <Card>
          <CardContent
            className={cn(
              "grid gap-6 lg:grid-cols-2 lg:gap-8",
              apps.length > 0 ? "xl:grid-cols-1 xl:gap-6" : "xl:grid-cols-4",
            )}
          >
            <h2 className="sr-only">{t("activity")}</h2>
            <AdoptionPlots days={activity.days} />
            <SystemsPlot {...activity} />
            <StorageLine {...storage} />
          </CardContent>
        </Card>
      </div>
      <SectionLinks
        counts={{
          apps: counts.apps,
          platforms: counts.platforms,
          users: counts.users,
          roles: counts.roles,
          permissions: counts.permissions,
          logs: counts.auditRecords,
          appConfig: counts.apiTokens,
        }}
      />
    </CreateRelease>
  );
}
