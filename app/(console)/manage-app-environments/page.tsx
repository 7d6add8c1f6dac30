import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { isFiltered } from "@/components/common/data-table/is-filtered";
import { PageHeader } from "@/components/common/page-header";
import { CreateEnvironmentButton } from "@/components/environments/environment-actions";
import { EnvironmentsTable } from "@/components/environments/environments-table";
import { CreateRelease } from "@/components/releases/publishing/create-release";
import { BinLink } from "@/components/retention/bin-link";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call, requireParameter } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAppEnvironments } from "@/lib/features/environments/operations/get-app-environments";
import { environmentsOfAppInput } from "@/lib/features/environments/schema";
import { getLatestTestingDeploys } from "@/lib/features/releases/operations/get-latest-testing-deploys";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { RecordPage } from "../../_components/record-page";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const [t, { name }] = await Promise.all([
    getTranslations("environments"),
    call(getApp, { id: requireParameter(await searchParams, "app", PAGES.home) }),
  ]);
  return { title: `${t("manageTitle")} · ${name}` };
}

export default async function ManageEnvironmentsPage({ searchParams }: QueryPageProps) {
  const query = await searchParams;
  const app = await call(getApp, { id: requireParameter(query, "app", PAGES.home) });
  const [t, nav, environments] = await Promise.all([
    getTranslations("environments"),
    getTranslations("nav.pages"),
    call(getAppEnvironments, listQuery(environmentsOfAppInput, query, { appId: app.id })),
  ]);
  const environmentIds = environments.items.map(({ id }) => id);
  const { items: newest } = await call(getLatestTestingDeploys, { appId: app.id, environmentIds });
  const canCreate = app.scopes.includes("environment:write");
  const canWrite = canCreate || environments.items.some(({ scopes }) => scopes.includes("environment:write"));
  const canDelete = environments.items.some(({ scopes }) => scopes.includes("release:delete"));
  const page = (
    <>
      <PageHeader
        title={t("manageTitle")}
        description={t("manageDescription", { app: app.name })}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-12 self-start text-lg" />}
        breadcrumbs={[
          { label: nav("home"), href: PAGES.home },
          { label: app.name, href: contextPath(PAGES.appEnvironments, app.id) },
        ]}
        secondary={canDelete && <BinLink appId={app.id} />}
        action={
          canCreate && (environments.total > 0 || isFiltered(query)) && <CreateEnvironmentButton appId={app.id} />
        }
      />
      {!canWrite && environments.items.length > 0 && <Alert role="note">{t("readOnly")}</Alert>}
      <EnvironmentsTable app={app} {...environments} newest={newest} isAdmin={false} />
    </>
  );
  const canPublish = environments.items.some(({ scopes }) => scopes.includes("release:create"));
  return <RecordPage of={app.id}>{canPublish ? <CreateRelease place={null}>{page}</CreateRelease> : page}</RecordPage>;
}
