import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { CreateCertificateButton } from "@/components/certificates/certificate-actions";
import { CertificatesTable } from "@/components/certificates/certificates-table";
import { environmentCrumbs } from "@/components/common/navigation/environment-crumbs";
import { PageHeader } from "@/components/common/page-header";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call, requireParameter } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getSecureCertificates } from "@/lib/features/certificates/operations/get-secure-certificates";
import { certificatesInput } from "@/lib/features/certificates/schema";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";

export type ManageCertificatesProps = { query: SearchParams; isAdmin: boolean };

/** The certificates of an environment, with the actions that the user's scopes allow. */
export async function ManageCertificates({ query, isAdmin }: ManageCertificatesProps) {
  const appId = requireParameter(query, "app", isAdmin ? PAGES.adminApps : PAGES.home);
  const environmentId = requireParameter(query, "environment", appPath(appId, isAdmin));
  const [t, nav, app, environments, certificates] = await Promise.all([
    getTranslations("certificates"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    call(getAuthorizedEnvironmentsByApp, { appId, environmentId }),
    call(getSecureCertificates, listQuery(certificatesInput, query, { environmentId })),
  ]);
  const environment = environments.items[0];
  if (!environment) notFound();
  const canWrite = environment.scopes.includes("secure-certificate:write");
  return (
    <>
      <PageHeader
        breadcrumbs={environmentCrumbs({ app, environment }, isAdmin, { apps: nav("apps"), home: nav("home") })}
        media={<Avatar shape="square" name={app.name} src={app.logoUrl} className="size-10" />}
        title={t("title")}
        description={t("description", { app: app.name, environment: environment.name })}
        action={canWrite && <CreateCertificateButton environmentId={environmentId} />}
      />
      {environment.status === "inactive" && <Alert tone="warning">{t("inactiveEnvironment")}</Alert>}
      <CertificatesTable {...certificates} environmentId={environmentId} canWrite={canWrite} />
    </>
  );
}
