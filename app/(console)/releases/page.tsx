import type { Metadata } from "next";
import dynamic from "next/dynamic";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { releaseName } from "@/components/common/releases/release-name";
import { single } from "@/components/releases/list-query";
import { call, requireUser } from "@/lib/api/call";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

// The server loads only what is shown; browsers load the code of both (docs/decisions/054).
const AppReleases = dynamic(() => import("../../_components/app-releases").then((file) => file.AppReleases));
const OneRelease = dynamic(() => import("./_components/one-release").then((file) => file.OneRelease));

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const [t, query] = await Promise.all([getTranslations("releases"), searchParams]);
  const id = single(query.id);
  if (!id) return { title: t("title") };
  // If the release does not exist or is not accessible, the page says so.
  const release = await call(getTestingDeployById, { id }).catch(() => null);
  return { title: release ? `${release.displayName} ${releaseName(release)}` : t("title") };
}

/** With `id`, one release and how to install it; with `app`, the releases of an application. */
export default async function ReleasesPage({ searchParams }: QueryPageProps) {
  const actor = await requireUser();
  const query = await searchParams;
  const id = single(query.id);
  if (id) return <OneRelease id={id} isThisFile={query.file === "this"} actor={actor} />;
  const appId = single(query.app);
  if (appId) return <AppReleases appId={appId} query={query} actor={actor} />;
  redirect(PAGES.home);
}
