import { notFound, redirect } from "next/navigation";
import { getTimeZone, getTranslations } from "next-intl/server";
import { appPath } from "@/components/common/navigation/navigation";
import { contextPath } from "@/components/common/navigation/paths";
import { type Crumb, PageHeader } from "@/components/common/page-header";
import { CreateRelease, CreateReleaseButton } from "@/components/releases/create-release";
import { single, withInstants } from "@/components/releases/list-query";
import { releaseRights } from "@/components/releases/release-summary";
import { ReleasesTable, versionsOf } from "@/components/releases/releases-table";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getTestingDeploys } from "@/lib/features/releases/operations/get-testing-deploys";
import { getTestingDeploysInput } from "@/lib/features/releases/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { reachedEnvironments } from "./reached-environments";

/** Number of latest releases that the version filter's options come from. */
const VERSION_SOURCE_RELEASES = 100;

export type ManageReleasesProps = { query: SearchParams; isAdmin: boolean };

/** The releases of an environment for the users who manage them, with the actions that their scopes allow. */
export async function ManageReleases({ query, isAdmin }: ManageReleasesProps) {
  const appId = single(query.app);
  const environmentId = single(query.environment);
  if (!appId) redirect(isAdmin ? "/admin-apps" : "/home");
  if (!environmentId) redirect(appPath(appId, isAdmin));

  const timeZone = await getTimeZone();
  const input = listQuery(getTestingDeploysInput, withInstants(query, timeZone), { environmentId });
  const [t, environmentTexts, nav, app, environments, platforms, releases, newest] = await Promise.all([
    getTranslations("releases"),
    getTranslations("environments"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    reachedEnvironments(appId),
    call(getPlatforms, { limit: 100 }),
    call(getTestingDeploys, input),
    call(getTestingDeploys, { environmentId, limit: VERSION_SOURCE_RELEASES }),
  ]);
  const environment = environments.find(({ id }) => id === environmentId);
  if (!environment) notFound();

  const rights = releaseRights(environment.scopes);
  const active = environment.status === "active" && app.status === "active";
  const place = {
    environment: { id: environment.id, name: environment.name },
    identifiers: [app.identifier, ...environment.identifiers],
    platforms: platforms.items
      .filter(({ status }) => status === "active")
      .map(({ id, name, kind }) => ({ id, name, kind })),
  };
  const canPublish = rights.create && active;
  const breadcrumbs: Crumb[] = isAdmin
    ? [
        { label: nav("apps"), href: "/admin-apps" },
        { label: app.name, href: appPath(app.id, true) },
        { label: environment.name, href: contextPath("/environment-app", app.id, environment.id) },
      ]
    : [
        { label: nav("home"), href: "/home" },
        { label: app.name, href: appPath(app.id, false) },
      ];
  const page = (
    <>
      <PageHeader
        breadcrumbs={breadcrumbs}
        media={
          <Avatar shape="square" name={app.name} src={app.logoUrl ?? newest.items[0]?.iconUrl} className="size-10" />
        }
        title={t("title")}
        description={t("placeDescription", { app: app.name, environment: environment.name })}
        action={canPublish && newest.total > 0 && <CreateReleaseButton />}
      />
      {!active && <Alert tone="warning">{environmentTexts("inactiveNotice")}</Alert>}
      <ReleasesTable
        {...releases}
        rightsOf={() => rights}
        platforms={platforms.items}
        versions={withChosen(versionsOf(newest.items), input.version)}
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
  return canPublish ? <CreateRelease place={place}>{page}</CreateRelease> : page;
}

/** The options of the version filter, including the selected version even if it is an old one. */
function withChosen(versions: string[], chosen: string | undefined): string[] {
  return chosen === undefined || versions.includes(chosen) ? versions : [...versions, chosen];
}
