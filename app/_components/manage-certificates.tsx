import { getTranslations } from "next-intl/server";
import { CreateCertificateButton } from "@/components/certificates/certificate-actions";
import { CertificatesTable } from "@/components/certificates/certificates-table";
import { isFiltered } from "@/components/common/data-table/is-filtered";
import { call } from "@/lib/api/call";
import { getSecureCertificates } from "@/lib/features/certificates/operations/get-secure-certificates";
import { certificatesInput } from "@/lib/features/certificates/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { ConfigurationPage, type ConfigurationPlace } from "./configuration-page";

export type ManageCertificatesProps = { query: SearchParams; isAdmin: boolean };

/** The certificates of an environment, with the actions that the user's scopes allow. */
export async function ManageCertificates({ query, isAdmin }: ManageCertificatesProps) {
  const t = await getTranslations("certificates");

  const loadPage = (environmentId: string) =>
    // What expires first is first.
    call(getSecureCertificates, listQuery(certificatesInput, { sort: "expirationDate", ...query }, { environmentId }));

  const list = async ({ environmentId, canWrite, canUndo }: ConfigurationPlace) => (
    <CertificatesTable
      {...(await loadPage(environmentId))}
      environmentId={environmentId}
      canWrite={canWrite}
      canUndo={canUndo}
    />
  );

  return (
    <ConfigurationPage
      kind="secure-certificate"
      title={t("title")}
      query={query}
      isAdmin={isAdmin}
      inactiveNotice={t("inactiveEnvironment")}
      authorize={(environmentId) => call(getSecureCertificates, { environmentId, limit: 1 })}
      isEmpty={async (environmentId) => !isFiltered(query) && (await loadPage(environmentId)).total === 0}
      list={list}
      actions={(environmentId) => ({ primary: <CreateCertificateButton environmentId={environmentId} /> })}
    />
  );
}
