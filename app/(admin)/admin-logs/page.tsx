import type { Metadata } from "next";
import { getTimeZone, getTranslations } from "next-intl/server";
import { AuditTable } from "@/components/audit/audit-table";
import { ChainCard } from "@/components/audit/chain-card";
import { logPath } from "@/components/audit/log-path";
import { OpenedRecord } from "@/components/audit/opened-record";
import { RecordDetails } from "@/components/audit/record-details";
import { withInstants } from "@/components/common/data-table/with-instants";
import { PageHeader } from "@/components/common/page-header";
import { call, requireAdmin } from "@/lib/api/call";
import { getAuditChain } from "@/lib/features/audit/operations/get-audit-chain";
import { getAuditLog } from "@/lib/features/audit/operations/get-audit-log";
import { getAuditLogKinds } from "@/lib/features/audit/operations/get-audit-log-kinds";
import { getAuditLogs } from "@/lib/features/audit/operations/get-audit-logs";
import { getAuditLogsInput } from "@/lib/features/audit/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auditLog");
  return { title: t("title") };
}

export default async function AuditLogPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const query = await searchParams;
  const input = listQuery(getAuditLogsInput, withInstants(query, await getTimeZone()));
  const id = Number(query.record);
  const [t, log, kinds, chain, record] = await Promise.all([
    getTranslations("auditLog"),
    call(getAuditLogs, input),
    call(getAuditLogKinds, {}),
    call(getAuditChain, {}),
    Number.isSafeInteger(id) && id > 0 ? call(getAuditLog, { id }) : null,
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <ChainCard chain={chain} />
      <AuditTable {...log} kinds={kinds} input={input} recordHref={(recordId) => logPath(query, recordId)} />
      {record && (
        <OpenedRecord
          key={record.id}
          title={t("record", { id: record.id })}
          description={record.sentence}
          closeHref={logPath(query)}
        >
          <RecordDetails record={record} />
        </OpenedRecord>
      )}
    </>
  );
}
