import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { StatusBadge } from "@/components/common/status-badge";
import { UpdateEnvironmentButton } from "@/components/environments/environment-actions";
import { EnvironmentHub } from "@/components/environments/environment-hub";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call, requireAdmin, requireParameter } from "@/lib/api/call";
import { getSecureCertificates } from "@/lib/features/certificates/operations/get-secure-certificates";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { getLatestTestingDeploys } from "@/lib/features/releases/operations/get-latest-testing-deploys";
import { getDevelopmentVariables } from "@/lib/features/variables/operations/get-development-variables";
import { getSecureVariables } from "@/lib/features/variables/operations/get-secure-variables";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const id = requireParameter(await searchParams, "environment", PAGES.adminApps);
  const { name, app } = await call(getEnvironmentApp, { id });
  return { title: `${name} · ${app.name}` };
}

export default async function EnvironmentPage({ searchParams }: QueryPageProps) {
  const { secondFactor } = await requireAdmin();
  const query = await searchParams;
  const appId = requireParameter(query, "app", PAGES.adminApps);
  const id = requireParameter(query, "environment", appPath(appId, true));
  const count = { environmentId: id, limit: 1 };
  const [t, apps, environment, newest, development, secure, certificates, expiring] = await Promise.all([
    getTranslations("environments"),
    getTranslations("apps"),
    call(getEnvironmentApp, { id }),
    call(getLatestTestingDeploys, { appId, environmentIds: [id] }),
    call(getDevelopmentVariables, count),
    secondFactor ? call(getSecureVariables, count) : null,
    secondFactor ? call(getSecureCertificates, count) : null,
    secondFactor ? call(getSecureCertificates, { ...count, status: "active", sort: "expirationDate" }) : null,
  ]);
  const { app, name, status } = environment;
  if (app.id !== appId) notFound();
  return (
    <>
      <PageHeader
        title={name}
        description={t("hubDescription", { app: app.name })}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-12 self-start text-lg" />}
        badge={<StatusBadge status={status} />}
        breadcrumbs={[
          { label: apps("title"), href: PAGES.adminApps },
          { label: app.name, href: appPath(app.id, true) },
        ]}
        secondary={<UpdateEnvironmentButton environment={environment} />}
      />
      {status === "inactive" && <Alert role="note">{t("inactiveNotice")}</Alert>}
      {app.status === "inactive" && <Alert role="note">{t("inactiveApp", { app: app.name })}</Alert>}
      <EnvironmentHub
        environment={environment}
        newest={newest.items}
        variableCounts={{
          development: development.total,
          secure: secure?.total ?? null,
          certificates: certificates && {
            total: certificates.total,
            nextExpiration: expiring?.items[0]?.expirationDate ?? null,
          },
        }}
      />
    </>
  );
}
