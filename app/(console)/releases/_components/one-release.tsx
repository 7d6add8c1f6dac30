import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { appPath } from "@/components/common/navigation/navigation";
import { contextPath } from "@/components/common/navigation/paths";
import type { Crumb } from "@/components/common/page-header";
import { deviceOf } from "@/components/releases/device";
import { ReleasePage } from "@/components/releases/release-page";
import { releaseRights } from "@/components/releases/release-summary";
import { call } from "@/lib/api/call";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { getTestingDeploys } from "@/lib/features/releases/operations/get-testing-deploys";
import type { Release } from "@/lib/features/releases/schema";
import { reachedEnvironments } from "../../../_components/reached-environments";

/** A release, loaded once for its page and the page's title. */
export const loadRelease = cache((id: string) => call(getTestingDeployById, { id }));

/** The page of a release, with alternatives if it cannot be installed. */
export async function OneRelease({ id, isAdmin }: { id: string; isAdmin: boolean }) {
  const release = await loadRelease(id);
  const { app, environment } = release;
  const [t, nav, environments, counterpart, otherSystemHref, headerStore] = await Promise.all([
    getTranslations("releases"),
    getTranslations("nav.pages"),
    reachedEnvironments(app.id),
    installableCounterpart(release),
    releasesForOtherSystem(release),
    headers(),
  ]);
  const rights = releaseRights(environments.find((one) => one.id === environment.id)?.scopes ?? []);
  const listHref = contextPath(isAdmin ? "/testing-deploys" : "/releases", app.id, environment.id);
  const breadcrumbs: Crumb[] = isAdmin
    ? [
        { label: nav("apps"), href: "/admin-apps" },
        { label: app.name, href: appPath(app.id, true) },
        { label: environment.name, href: contextPath("/environment-app", app.id, environment.id) },
        { label: t("title"), href: listHref },
      ]
    : [
        { label: nav("home"), href: "/home" },
        { label: app.name, href: appPath(app.id, false) },
        { label: t("title"), href: listHref },
      ];
  return (
    <ReleasePage
      release={release}
      rights={rights}
      listHref={listHref}
      breadcrumbs={breadcrumbs}
      counterpart={counterpart}
      otherSystemHref={otherSystemHref}
      device={deviceOf({ userAgent: headerStore.get("user-agent") ?? "" })}
    />
  );
}

/** For a bundle, the APK of the same version and build. */
async function installableCounterpart(release: Release): Promise<{ id: string } | null> {
  if (release.installer.kind !== "aab") return null;
  const { items } = await call(getTestingDeploys, {
    environmentId: release.environment.id,
    version: release.version,
    limit: 100,
  });
  const apk = items.find((one) => one.installer.kind === "apk" && one.buildNumber === release.buildNumber);
  return apk ? { id: apk.id } : null;
}

/** The list of the app's releases for the other operating system; null if the environment has none. */
async function releasesForOtherSystem(release: Release): Promise<string | null> {
  const wanted = release.installer.kind === "ipa" ? "android" : "ios";
  const { items: platforms } = await call(getPlatforms, { limit: 100 });
  for (const { id, kind } of platforms) {
    if (kind !== wanted) continue;
    const { total } = await call(getTestingDeploys, {
      environmentId: release.environment.id,
      platformId: id,
      limit: 1,
    });
    if (total > 0) return `${contextPath("/releases", release.app.id, release.environment.id)}&platformId=${id}`;
  }
  return null;
}
