import { getTimeZone, getTranslations } from "next-intl/server";
import { appPath } from "@/components/common/navigation/navigation";
import { PageHeader } from "@/components/common/page-header";
import { single, withInstants } from "@/components/releases/list-query";
import { releaseRights } from "@/components/releases/release-summary";
import { ReleasesTable, versionsOf } from "@/components/releases/releases-table";
import { Avatar } from "@/components/ui/avatar";
import { call } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getTestingDeploys } from "@/lib/features/releases/operations/get-testing-deploys";
import { getTestingDeploysByApp } from "@/lib/features/releases/operations/get-testing-deploys-by-app";
import { getTestingDeploysByAppInput, getTestingDeploysInput } from "@/lib/features/releases/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { reachedEnvironments } from "../../../_components/reached-environments";

/** Number of latest releases that the version filter's options come from. */
const VERSION_SOURCE_RELEASES = 100;

export type AppReleasesProps = { appId: string; query: SearchParams; isAdmin: boolean };

/** The releases of an application in the environments that the user has access to, for downloading or installing. */
export async function AppReleases({ appId, query, isAdmin }: AppReleasesProps) {
  const environmentId = single(query.environment);
  const wanted = withInstants(query, await getTimeZone());
  const [t, nav, app, environments, platforms, releases, newest] = await Promise.all([
    getTranslations("releases"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    reachedEnvironments(appId),
    call(getPlatforms, { limit: 100 }),
    environmentId
      ? call(getTestingDeploys, listQuery(getTestingDeploysInput, wanted, { environmentId }))
      : call(getTestingDeploysByApp, listQuery(getTestingDeploysByAppInput, wanted, { appId })),
    call(getTestingDeploysByApp, { appId, limit: VERSION_SOURCE_RELEASES }),
  ]);
  const rightsIn = new Map(environments.map(({ id, scopes }) => [id, releaseRights(scopes)]));
  const version = single(query.version);
  const versions = versionsOf(newest.items);
  return (
    <>
      <PageHeader
        breadcrumbs={[
          { label: nav("home"), href: "/home" },
          { label: app.name, href: appPath(app.id, isAdmin) },
        ]}
        media={
          <Avatar shape="square" name={app.name} src={app.logoUrl ?? newest.items[0]?.iconUrl} className="size-10" />
        }
        title={t("title")}
        description={t("appDescription", { app: app.name })}
      />
      <ReleasesTable
        {...releases}
        rightsOf={({ environment }) => rightsIn.get(environment.id) ?? releaseRights([])}
        platforms={platforms.items}
        versions={version && !versions.includes(version) ? [...versions, version] : versions}
        environments={environments.filter(({ scopes }) => scopes.includes("release:read"))}
        action="download"
      />
    </>
  );
}
