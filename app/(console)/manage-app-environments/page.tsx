import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { appOfPage } from "@/app/_components/app-page";
import { newestReleases } from "@/app/_components/newest-releases";
import { contextPath } from "@/components/common/navigation/paths";
import { PageHeader } from "@/components/common/page-header";
import { CreateEnvironmentButton } from "@/components/environments/environment-actions";
import { EnvironmentsTable } from "@/components/environments/environments-table";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call } from "@/lib/api/call";
import { getAppEnvironments } from "@/lib/features/environments/operations/get-app-environments";
import { environmentsOfAppInput } from "@/lib/features/environments/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

const PARENT = "/home";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const [t, { name }] = await Promise.all([getTranslations("environments"), appOfPage(await searchParams, PARENT)]);
  return { title: `${t("manageTitle")} · ${name}` };
}

export default async function ManageEnvironmentsPage({ searchParams }: QueryPageProps) {
  const query = await searchParams;
  const app = await appOfPage(query, PARENT);
  const [t, nav, environments] = await Promise.all([
    getTranslations("environments"),
    getTranslations("nav.pages"),
    call(getAppEnvironments, listQuery(environmentsOfAppInput, query, { appId: app.id })),
  ]);
  const newest = await newestReleases(app.id, environments.items);
  const canCreate = app.scopes.includes("environment:write");
  const canWrite = canCreate || environments.items.some(({ scopes }) => scopes.includes("environment:write"));
  return (
    <>
      <PageHeader
        title={t("manageTitle")}
        description={t("manageDescription", { app: app.name })}
        media={<Avatar shape="square" name={app.name} src={app.logoUrl} className="size-12 self-start text-lg" />}
        breadcrumbs={[
          { label: nav("home"), href: PARENT },
          { label: app.name, href: contextPath("/app-environments", app.id) },
        ]}
        action={canCreate && <CreateEnvironmentButton appId={app.id} />}
      />
      {!canWrite && environments.items.length > 0 && <Alert role="note">{t("readOnly")}</Alert>}
      <EnvironmentsTable app={app} {...environments} newest={newest} isAdmin={false} />
    </>
  );
}
