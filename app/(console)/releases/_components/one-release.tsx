import { deviceOf } from "@slipway/installers";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { environmentCrumbs } from "@/components/common/navigation/environment-crumbs";
import { PagePlace } from "@/components/common/shell/page-place";
import { ReleasePage } from "@/components/releases/release-page";
import { call } from "@/lib/api/call";
import { getConfigurationDiff } from "@/lib/features/configuration/operations/get-configuration-diff";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";

/** The page of a release, with alternatives if it cannot be installed. */
export async function OneRelease({ id, isAdmin }: { id: string; isAdmin: boolean }) {
  const [t, nav, release, headerStore] = await Promise.all([
    getTranslations("releases"),
    getTranslations("nav.pages"),
    call(getTestingDeployById, { id }),
    headers(),
  ]);
  const { app, environment, configurationVersion, scopes } = release;
  const difference =
    configurationVersion !== null && scopes.includes("environment:read")
      ? await call(getConfigurationDiff, { environmentId: environment.id, from: configurationVersion, to: "current" })
      : null;
  const listHref = contextPath(isAdmin ? PAGES.adminReleases : PAGES.releases, app.id, environment.id);
  return (
    <>
      <PagePlace
        appId={app.id}
        environmentId={release.environment.id}
        path={isAdmin ? PAGES.adminReleases : PAGES.releases}
      />
      <ReleasePage
        release={release}
        listHref={listHref}
        changedKeys={difference?.items.length ?? null}
        breadcrumbs={[
          ...environmentCrumbs(release, isAdmin, { apps: nav("apps"), home: nav("home") }),
          // The page of an environment is the list of its releases.
          ...(isAdmin ? [] : [{ label: t("title"), href: listHref }]),
        ]}
        device={deviceOf({ userAgent: headerStore.get("user-agent") ?? "" })}
      />
    </>
  );
}
