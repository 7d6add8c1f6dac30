import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { newestReleases } from "@/app/_components/newest-releases";
import { contextPath } from "@/components/common/navigation/paths";
import { PageHeader } from "@/components/common/page-header";
import { StatusBadge } from "@/components/common/status-badge";
import { UpdateEnvironmentButton } from "@/components/environments/environment-actions";
import { EnvironmentHub } from "@/components/environments/environment-hub";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call, requireAdmin } from "@/lib/api/call";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import type { QueryPageProps, SearchParams } from "@/lib/kernel/navigation/search-params";

const PARENT = "/admin-apps";

const loadEnvironment = cache((id: string) => call(getEnvironmentApp, { id }));

async function environmentOfPage({ app, environment }: SearchParams) {
  if (environment === undefined) redirect(app === undefined ? PARENT : contextPath("/registered-app", String(app)));
  const found = await loadEnvironment(String(environment));
  if (found.appId !== app) notFound();
  return found;
}

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const { name, app } = await environmentOfPage(await searchParams);
  return { title: `${name} · ${app.name}` };
}

export default async function EnvironmentPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const environment = await environmentOfPage(await searchParams);
  const { app, name, status } = environment;
  const [t, apps, newest] = await Promise.all([
    getTranslations("environments"),
    getTranslations("apps"),
    newestReleases(app.id, [environment]),
  ]);
  return (
    <>
      <PageHeader
        title={name}
        description={t("hubDescription", { app: app.name })}
        media={<Avatar shape="square" name={app.name} src={app.logoUrl} className="size-12 self-start text-lg" />}
        badge={<StatusBadge status={status} />}
        breadcrumbs={[
          { label: apps("title"), href: PARENT },
          { label: app.name, href: contextPath("/registered-app", app.id) },
        ]}
        secondary={<UpdateEnvironmentButton environment={environment} />}
      />
      {status === "inactive" && <Alert role="note">{t("inactiveNotice")}</Alert>}
      {app.status === "inactive" && <Alert role="note">{t("inactiveApp", { app: app.name })}</Alert>}
      <EnvironmentHub environment={environment} newest={newest} />
    </>
  );
}
