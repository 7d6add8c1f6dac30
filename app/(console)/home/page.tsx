import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { PageHeader } from "@/components/common/page-header";
import { AppCards } from "@/components/home/app-cards";
import { ReleaseNews } from "@/components/home/release-news";
import { Skeleton } from "@/components/ui/skeleton";
import { call, requireUser } from "@/lib/api/call";
import { getAuthorizedApps } from "@/lib/features/apps/operations/get-authorized-apps";
import { getAuthorizedAppsInput } from "@/lib/features/apps/schema";
import { getLatestTestingDeploysByApp } from "@/lib/features/releases/operations/get-latest-testing-deploys-by-app";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("home");
  return { title: t("title") };
}

export default async function HomePage({ searchParams }: QueryPageProps) {
  const { isAdmin } = await requireUser();
  const [t, apps] = await Promise.all([
    getTranslations("home"),
    call(getAuthorizedApps, listQuery(getAuthorizedAppsInput, await searchParams)),
  ]);
  const appIds = apps.items.map(({ id }) => id);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <AppCards
        {...apps}
        isAdmin={isAdmin}
        news={({ id }) => (
          <Suspense fallback={<Skeleton className="my-0.5 h-3.5 w-32" />}>
            <NewestRelease appId={id} appIds={appIds} />
          </Suspense>
        )}
      />
    </>
  );
}

/** The latest release of one of the applications on the page, which are loaded together. */
async function NewestRelease({ appId, appIds }: { appId: string; appIds: string[] }) {
  const { items } = await call(getLatestTestingDeploysByApp, { appIds });
  return <ReleaseNews release={items.find(({ app }) => app.id === appId) ?? null} />;
}
