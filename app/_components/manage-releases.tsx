import { notFound } from "next/navigation";
import { getTimeZone, getTranslations } from "next-intl/server";
import { withInstants } from "@/components/common/data-table/with-instants";
import { environmentCrumbs } from "@/components/common/navigation/environment-crumbs";
import { PageHeader } from "@/components/common/page-header";
import { CreateRelease, CreateReleaseButton } from "@/components/releases/create-release";
import { isFiltered } from "@/components/releases/list-query";
import { publishingPlace } from "@/components/releases/publishing-place";
import { releaseRights } from "@/components/releases/release-summary";
import { ReleasesTable } from "@/components/releases/releases-table";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call, requireParameter } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getTestingDeploys } from "@/lib/features/releases/operations/get-testing-deploys";
import { getTestingDeploysInput } from "@/lib/features/releases/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";

export type ManageReleasesProps = { query: SearchParams; isAdmin: boolean };

/** The releases of an environment for the users who manage them, with the actions that their scopes allow. */
export async function ManageReleases({ query, isAdmin }: ManageReleasesProps) {
  const appId = requireParameter(query, "app", isAdmin ? PAGES.adminApps : PAGES.home);
  const environmentId = requireParameter(query, "environment", appPath(appId, isAdmin));
  const input = listQuery(getTestingDeploysInput, withInstants(query, await getTimeZone()), { environmentId });
  const [t, environmentTexts, nav, app, environments, platforms, releases] = await Promise.all([
    getTranslations("releases"),
    getTranslations("environments"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    call(getAuthorizedEnvironmentsByApp, { appId, environmentId }),
    call(getPlatforms, { limit: MAX_LIMIT }),
    call(getTestingDeploys, input),
  ]);
  const environment = environments.items[0];
  if (!environment) notFound();

  const rights = releaseRights(environment.scopes);
  const active = environment.status === "active" && app.status === "active";
  const canPublish = rights.create && active;
  const page = (
    <>
      <PageHeader
        breadcrumbs={environmentCrumbs({ app, environment }, isAdmin, { apps: nav("apps"), home: nav("home") })}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-10" />}
        title={t("title")}
        description={t("placeDescription", { app: app.name, environment: environment.name })}
        action={canPublish && (releases.total > 0 || isFiltered(query)) && <CreateReleaseButton />}
      />
      {!active && <Alert tone="warning">{environmentTexts("inactiveNotice")}</Alert>}
      <ReleasesTable
        {...releases}
        place={{ appId, environmentId }}
        platforms={platforms.items}
        action="share"
        empty={
          canPublish
            ? {
                description: t("empty.publish"),
                action: <CreateReleaseButton label={t("empty.action")} />,
              }
            : undefined
        }
      />
    </>
  );
  if (!canPublish) return page;
  return <CreateRelease place={publishingPlace(app, environment, platforms.items)}>{page}</CreateRelease>;
}
