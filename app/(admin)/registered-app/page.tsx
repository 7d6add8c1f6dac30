import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AppMenu } from "@/components/apps/app-actions";
import { AppSummary } from "@/components/apps/app-summary";
import { AdoptionPlots, ReleasesPlot, SystemsPlot } from "@/components/common/activity/activity-plots";
import { FunnelCard } from "@/components/common/activity/funnel-card";
import { isFiltered } from "@/components/common/data-table/is-filtered";
import { PageHeader } from "@/components/common/page-header";
import { StatusBadge } from "@/components/common/status-badge";
import { EndingProfiles } from "@/components/environments/ending-profiles";
import { CreateEnvironmentButton } from "@/components/environments/environment-actions";
import { EnvironmentsTable } from "@/components/environments/environments-table";
import { FeedbackLink } from "@/components/feedback/feedback-link";
import { CreateRelease, CreateReleaseButton } from "@/components/releases/publishing/create-release";
import { TestersLink } from "@/components/testers/testers-link";
import { Avatar } from "@/components/ui/avatar";
import { Card, CardContent } from "@/components/ui/card";
import { call, requireAdmin, requireParameter } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAppActivity } from "@/lib/features/dashboard/operations/get-app-activity";
import { getAppEnvironments } from "@/lib/features/environments/operations/get-app-environments";
import { environmentsOfAppInput } from "@/lib/features/environments/schema";
import { getInstallFunnel } from "@/lib/features/installs/operations/get-install-funnel";
import { getLatestTestingDeploys } from "@/lib/features/releases/operations/get-latest-testing-deploys";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { RecordPage } from "../../_components/record-page";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const { name } = await call(getApp, { id: requireParameter(await searchParams, "app", PAGES.adminApps) });
  return { title: name };
}

export default async function RegisteredAppPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const query = await searchParams;
  const app = await call(getApp, { id: requireParameter(query, "app", PAGES.adminApps) });
  const [t, environments] = await Promise.all([
    getTranslations("apps"),
    call(getAppEnvironments, listQuery(environmentsOfAppInput, query, { appId: app.id })),
  ]);
  const environmentIds = environments.items.map(({ id }) => id);
  const [{ items: newest }, activity, funnel] = await Promise.all([
    call(getLatestTestingDeploys, { appId: app.id, environmentIds }),
    call(getAppActivity, { appId: app.id }),
    call(getInstallFunnel, { appId: app.id }),
  ]);
  return (
    <RecordPage of={app.id}>
      <CreateRelease place={null}>
        <PageHeader
          title={app.name}
          description={<AppSummary app={app} />}
          media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-12 self-start text-lg" />}
          badge={<StatusBadge status={app.status} gender="feminine" />}
          breadcrumbs={[{ label: t("title"), href: PAGES.adminApps }]}
          secondary={
            <>
              <FeedbackLink appId={app.id} />
              <TestersLink appId={app.id} />
              {(environments.total > 0 || isFiltered(query)) && (
                <CreateEnvironmentButton appId={app.id} variant="secondary" />
              )}
              <AppMenu app={app} />
            </>
          }
          action={<CreateReleaseButton />}
        />
        <EndingProfiles newest={newest} />
        <EnvironmentsTable app={app} {...environments} newest={newest} isAdmin />
        <Card>
          <CardContent className="grid gap-6 lg:grid-cols-2 lg:gap-8">
            <AdoptionPlots days={activity.days} />
            <SystemsPlot {...activity} />
            <ReleasesPlot days={activity.days} />
          </CardContent>
        </Card>
        <FunnelCard funnel={funnel} place={{ appId: app.id }} peopleOf={null} />
      </CreateRelease>
    </RecordPage>
  );
}
