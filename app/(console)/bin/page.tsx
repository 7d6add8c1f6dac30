import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { appCrumbs } from "@/components/common/navigation/environment-crumbs";
import { PageHeader } from "@/components/common/page-header";
import { PagePlace } from "@/components/common/shell/page-place";
import { EmptyBinButton } from "@/components/retention/bin-actions";
import { BinTable } from "@/components/retention/bin-table";
import { Avatar } from "@/components/ui/avatar";
import { call, requireParameter, requireUser } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { getBin } from "@/lib/features/retention/operations/get-bin";
import { getBinInput } from "@/lib/features/retention/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { RecordPage } from "../../_components/record-page";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const [t, { name }] = await Promise.all([
    getTranslations("bin"),
    call(getApp, { id: requireParameter(await searchParams, "app", PAGES.home) }),
  ]);
  return { title: `${t("title")} · ${name}` };
}

export default async function BinPage({ searchParams }: QueryPageProps) {
  const [{ isAdmin }, query] = await Promise.all([requireUser(), searchParams]);
  const appId = requireParameter(query, "app", PAGES.home);
  const [t, nav, app, bin, environments] = await Promise.all([
    getTranslations("bin"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    call(getBin, listQuery(getBinInput, query, { appId })),
    call(getAuthorizedEnvironmentsByApp, { appId, limit: MAX_LIMIT }),
  ]);
  const { bytes, ...list } = bin;
  const environmentIds = environments.items
    .filter(({ scopes }) => scopes.includes("release:delete"))
    .map(({ id }) => id);
  return (
    <RecordPage of={appId}>
      <PagePlace appId={appId} path={isAdmin ? PAGES.adminApp : PAGES.appEnvironments} />
      <PageHeader
        title={t("title")}
        description={t("description", { app: app.name })}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-10 self-start" />}
        breadcrumbs={appCrumbs(app, isAdmin, { apps: nav("apps"), home: nav("home") })}
        secondary={
          list.total > 0 && (
            <EmptyBinButton app={app.name} environmentIds={environmentIds} count={list.total} bytes={bytes} />
          )
        }
      />
      <BinTable {...list} />
    </RecordPage>
  );
}
