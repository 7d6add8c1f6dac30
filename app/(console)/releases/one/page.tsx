import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { releaseName } from "@/components/common/releases/release-name";
import { single } from "@/components/releases/list-query";
import { call, requireUser } from "@/lib/api/call";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { OneRelease } from "./_components/one-release";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const [t, query] = await Promise.all([getTranslations("releases"), searchParams]);
  const id = single(query.id);
  // If the release does not exist or is not accessible, the page says so.
  const release = id ? await call(getTestingDeployById, { id }).catch(() => null) : null;
  return { title: release ? `${release.displayName} ${releaseName(release)}` : t("title") };
}

/** What `/releases?id=` shows (next.config.ts): one release and how to install it. */
export default async function ReleasePage({ searchParams }: QueryPageProps) {
  const actor = await requireUser();
  const query = await searchParams;
  const id = single(query.id);
  if (!id) redirect(PAGES.home);
  return <OneRelease id={id} isThisFile={query.file === "this"} actor={actor} />;
}
