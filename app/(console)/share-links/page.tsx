import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { appCrumbs } from "@/components/common/navigation/environment-crumbs";
import { PageHeader } from "@/components/common/page-header";
import { PagePlace } from "@/components/common/shell/page-place";
import { ShareLinksTable } from "@/components/releases/sharing/share-links-table";
import { Avatar } from "@/components/ui/avatar";
import { call, requireParameter, requireUser } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getShareLinks } from "@/lib/features/share-links/operations/get-share-links";
import { getShareLinksInput } from "@/lib/features/share-links/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { RecordPage } from "../../_components/record-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("shareLinks");
  return { title: t("title") };
}

/** The links that open the releases of an application without an account, in the environments whose releases the user may change. */
export default async function ShareLinksPage({ searchParams }: QueryPageProps) {
  const { isAdmin } = await requireUser();
  const query = await searchParams;
  const appId = requireParameter(query, "app", PAGES.home);
  const [t, nav, app, links] = await Promise.all([
    getTranslations("shareLinks"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    call(getShareLinks, listQuery(getShareLinksInput, query, { appId })),
  ]);
  return (
    <RecordPage of={appId}>
      <PagePlace appId={appId} path={isAdmin ? PAGES.adminApp : PAGES.appEnvironments} />
      <PageHeader
        breadcrumbs={appCrumbs(app, isAdmin, { apps: nav("apps"), home: nav("home") })}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-10 self-start" />}
        title={t("title")}
        description={t("description")}
      />
      <ShareLinksTable {...links} />
    </RecordPage>
  );
}
