import { FileKey2 } from "lucide-react";
import { useNow, useTranslations } from "next-intl";
import { CertificateExpiryBadge } from "@/components/common/certificates/certificate-expiry-badge";
import { useEntryColumns } from "@/components/common/configuration/entry-columns";
import { DataTable } from "@/components/common/data-table/data-table";
import { useStatusColumn, useStatusFilter } from "@/components/common/data-table/status";
import { DateTime } from "@/components/common/date-time";
import { EmptyState } from "@/components/common/empty-state";
import { Nothing } from "@/components/common/nothing";
import { StatusBadge } from "@/components/common/status-badge";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { SecureCertificate } from "@/lib/features/certificates/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { CertificateMenu, CreateCertificateButton } from "./certificate-actions";
import { commonName } from "./common-name";

export type CertificatesTableProps = OperationOutput<"apps/get-secure-certificates"> & {
  environmentId: string;
  canWrite: boolean;
  /** Whether a deletion can be undone; this needs the history. */
  canUndo: boolean;
};

/** The certificates of an environment. */
export function CertificatesTable({ environmentId, items, canWrite, canUndo, ...page }: CertificatesTableProps) {
  const t = useTranslations("certificates");
  const now = useNow();
  const statusFilter = useStatusFilter("masculine");
  const statusColumn = useStatusColumn("masculine");
  const { name, key } = useEntryColumns();
  // Certificates without a name of their own are named by their key.
  const hasNames = items.length === 0 || items.some((item) => item.name !== item.key);
  const [title, ...others] = hasNames ? ([name, key] as const) : ([key] as const);
  return (
    <DataTable<SecureCertificate>
      label={t("title")}
      rows={items}
      rowKey={({ id }) => id}
      {...page}
      search={t("search")}
      defaultSort="expirationDate"
      filters={[statusFilter]}
      columns={[
        title,
        ...others,
        {
          key: "file",
          header: t("file"),
          hide: "narrow",
          className: "lg:max-w-48",
          cell: ({ fileName, format }) => (
            <span className="flex min-w-0 flex-col">
              <span title={fileName} className="truncate">
                {fileName}
              </span>
              <span className="text-muted-foreground text-xs uppercase leading-4.5">{format}</span>
            </span>
          ),
        },
        {
          key: "subject",
          header: t("facts.subject"),
          className: "lg:max-w-32 xl:max-w-56",
          cell: ({ subject }) => (subject === null ? <Nothing label={t("unknown")} /> : <Subject subject={subject} />),
        },
        {
          key: "expirationDate",
          header: t("facts.expires"),
          sort: "expirationDate",
          phone: "fact",
          className: "whitespace-nowrap",
          cell: ({ expirationDate, chainLength }) =>
            expirationDate === null ? (
              chainLength === null ? (
                <span className="text-muted-foreground">{t("unknownExpiry")}</span>
              ) : (
                <Nothing label={t("unknown")} />
              )
            ) : (
              <span className="flex gap-1 max-lg:items-center max-lg:gap-x-2 lg:flex-col lg:items-start">
                <DateTime date={expirationDate} />
                <CertificateExpiryBadge expirationDate={expirationDate} />
              </span>
            ),
        },
        {
          ...statusColumn,
          cell: ({ status, expirationDate }) => (
            <StatusBadge
              status={status}
              muted={status === "inactive" || (expirationDate !== null && new Date(expirationDate) <= now)}
            />
          ),
        },
      ]}
      rowActions={(certificate) => <CertificateMenu certificate={certificate} canWrite={canWrite} canUndo={canUndo} />}
      empty={
        <EmptyState
          icon={<FileKey2 />}
          title={t("empty.title")}
          description={t(canWrite ? "empty.description" : "empty.readOnly")}
          action={canWrite ? <CreateCertificateButton environmentId={environmentId} /> : undefined}
          docs={`${PAGES.docs}/certificates`}
        />
      }
    />
  );
}

/** A certificate's subject: its common name, and the whole name below. */
function Subject({ subject }: { subject: string }) {
  const name = commonName(subject);
  return (
    <span title={subject} className="flex min-w-0 flex-col">
      {name && <span className="truncate">{name}</span>}
      <span className={name ? "truncate text-muted-foreground text-xs leading-4.5" : "truncate"}>{subject}</span>
    </span>
  );
}
