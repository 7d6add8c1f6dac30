import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { single } from "@/components/releases/list-query";
import { requireUser } from "@/lib/api/call";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { AppReleases } from "../../_components/app-releases";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("releases");
  return { title: t("title") };
}

/** With `app`, the releases of an application. With `id`, the page of one release is shown (next.config.ts). */
export default async function ReleasesPage({ searchParams }: QueryPageProps) {
  const actor = await requireUser();
  const query = await searchParams;
  const appId = single(query.app);
  if (appId) return <AppReleases appId={appId} query={query} actor={actor} />;
  redirect(PAGES.home);
}
