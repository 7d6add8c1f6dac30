import { getTimeZone, getTranslations } from "next-intl/server";
import { EnvironmentBadge } from "@/components/common/apps/environment-badge";
import { ExportButton } from "@/components/common/data-table/export-button";
import { withInstants } from "@/components/common/data-table/with-instants";
import { PageHeader } from "@/components/common/page-header";
import { FeedbackLink } from "@/components/feedback/feedback-link";
import { single } from "@/components/releases/list-query";
import { ReleasesTable } from "@/components/releases/releases-table";
import { Avatar } from "@/components/ui/avatar";
import { call, type requireUser } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getBuilds } from "@/lib/features/releases/operations/get-builds";
import { getBuildsInput, getTestingDeploysByAppInput, getTestingDeploysInput } from "@/lib/features/releases/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { holdsSomewhere } from "@/lib/permissions/authorize";
import { isTester } from "@/lib/permissions/tester";
import { RecordPage } from "./record-page";
import { TesterApp } from "./tester-app";

export type AppReleasesProps = {
  appId: string;
  query: SearchParams;
  actor: Awaited<ReturnType<typeof requireUser>>;
};

/**
 * The releases of an application in the environments that the user has access to, for downloading or installing. For testers,
 * it is the page of the application, with the build to install at its top.
 */
export async function AppReleases({ appId, query, actor }: AppReleasesProps) {
  const tester = isTester(actor);
  const environmentId = single(query.environment);
  const wanted = withInstants(query, await getTimeZone());
  const ofEnvironment = environmentId ? listQuery(getTestingDeploysInput, wanted, { environmentId }) : null;
  const ofApp = listQuery(getTestingDeploysByAppInput, wanted, { appId });
  const [t, builds, nav, app, environments, platforms, releases] = await Promise.all([
    getTranslations("releases"),
    getTranslations("builds"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    call(getAuthorizedEnvironmentsByApp, { appId, limit: MAX_LIMIT }),
    call(getPlatforms, { limit: MAX_LIMIT }),
    call(getBuilds, listQuery(getBuildsInput, wanted, { appId, environmentId })),
  ]);
  const exported = { total: releases.total, description: t("exportFiles") };
  const exportButton = ofEnvironment ? (
    <ExportButton path="apps/get-testing-deploys" input={ofEnvironment} {...exported} />
  ) : (
    <ExportButton path="apps/get-testing-deploys-by-app" input={ofApp} {...exported} />
  );
  const home = { label: nav("home"), href: PAGES.home };
  return (
    <RecordPage of={appId}>
      <PageHeader
        breadcrumbs={tester ? [home] : [home, { label: app.name, href: appPath(app.id, actor.isAdmin) }]}
        media={
          <Avatar
            shape="square"
            name={app.name}
            src={app.iconUrl ?? releases.items[0]?.releases[0]?.iconUrl}
            className="size-10 self-start"
          />
        }
        title={tester ? app.name : t("title")}
        description={
          tester ? (
            <span className="flex flex-col gap-1.5">
              {app.description}
              <span className="flex flex-wrap gap-1.5">
                {environments.items.map(({ id, name }) => (
                  <EnvironmentBadge key={id} name={name} />
                ))}
              </span>
            </span>
          ) : (
            t("appDescription", { app: app.name })
          )
        }
        secondary={<FeedbackLink appId={appId} environmentId={environmentId} />}
      />
      {tester && <TesterApp appId={appId} environmentId={environmentId} query={query} />}
      {tester && <h2 className="mt-3 font-semibold text-base leading-6 tracking-tight">{builds("all")}</h2>}
      <ReleasesTable
        {...releases}
        place={{ appId, environmentId }}
        platforms={platforms.items}
        environmentChoices={environments.items.filter(({ scopes }) => scopes.includes("release:read"))}
        mayPromote={holdsSomewhere(actor, "release:create")}
        action="download"
        toolbarEnd={!tester && exportButton}
      />
    </RecordPage>
  );
}
