import { CalendarClock } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { CertificateExpiryBadge } from "@/components/common/certificates/certificate-expiry-badge";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { EmptyState } from "@/components/common/empty-state";
import { entriesPath } from "@/components/common/navigation/paths";
import { releaseName } from "@/components/common/releases/release-name";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import type { Expiring } from "@/lib/features/expiry/schema";
import { EXPIRING_KINDS } from "@/lib/kernel/expiring-kinds";
import { LICENSE_PATH, PAGES, releasePath, TOKENS_PATH } from "@/lib/kernel/navigation/pages";

/** The periods that the list can be limited to, in days. */
const PERIODS = [7, 30, 90, 365] as const;

/** The page where something that ends is replaced, or of the release that ends with it. */
function pathOf({ kind, app, environment, release }: Expiring, isAdmin: boolean): string {
  if (release) return releasePath(release.id);
  if (kind === "token") return TOKENS_PATH;
  if (kind === "license") return LICENSE_PATH;
  if (kind === "enrolment") return PAGES.adminDevices;
  if (!app || !environment) return PAGES.adminHealth;
  return entriesPath("secure-certificate", { appId: app.id, environmentId: environment.id }, isAdmin);
}

export type ExpiringTableProps = OperationOutput<"expiry/get-expiring"> & {
  isAdmin: boolean;
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"expiry/get-expiring">;
};

/** The table of what ends, with what stops working then. */
export function ExpiringTable({ items, isAdmin, input, ...page }: ExpiringTableProps) {
  const t = useTranslations("expiry");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowKey={({ kind, id, environment }) => `${kind} ${id} ${environment?.id}`}
      rowHref={(item) => pathOf(item, isAdmin)}
      {...page}
      search={t("search")}
      defaultSort="endsAt"
      toolbarEnd={<ExportButton path="expiry/get-expiring" input={input} total={page.total} />}
      filters={[
        {
          key: "kind",
          label: t("kind"),
          options: EXPIRING_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
        },
        {
          key: "ended",
          label: t("state"),
          options: [
            { value: "false", label: t("upcoming") },
            { value: "true", label: t("ended") },
          ],
        },
        {
          key: "within",
          label: t("period"),
          options: PERIODS.map((days) => ({ value: String(days), label: t("days", { days }) })),
        },
      ]}
      columns={[
        { key: "name", header: t("what"), sort: "name", className: "lg:max-w-80", cell: (item) => <Name {...item} /> },
        { key: "kind", header: t("kind"), sort: "kind", phone: "fact", cell: ({ kind }) => t(`kinds.${kind}`) },
        {
          key: "endsAt",
          header: t("ends"),
          sort: "endsAt",
          phone: () => true,
          cell: ({ endsAt }) => <End endsAt={endsAt} />,
        },
        {
          key: "takesDown",
          header: t("takesDown"),
          className: "text-muted-foreground",
          cell: ({ takesDown }) => <TakesDown {...takesDown} />,
        },
      ]}
      empty={
        <EmptyState
          icon={<CalendarClock />}
          title={t("empty")}
          description={t("emptyDescription")}
          docs={`${PAGES.docs}/expiry`}
        />
      }
    />
  );
}

function Name({ name, app, environment, release }: Expiring) {
  const place = [app?.name, environment?.name, release && `${release.platform} ${releaseName(release)}`];
  const below = place.filter(Boolean).join(" · ");
  return (
    <span className="flex min-w-0 flex-col">
      <span title={name} className="truncate">
        {name}
      </span>
      {below && <span className="truncate font-normal text-muted-foreground text-xs">{below}</span>}
    </span>
  );
}

function End({ endsAt }: { endsAt: string }) {
  const format = useFormatter();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 max-lg:flex-col max-lg:items-end">
      <time dateTime={endsAt}>{format.dateTime(new Date(endsAt), { dateStyle: "medium", timeZone: "UTC" })}</time>
      <CertificateExpiryBadge expirationDate={endsAt} />
    </span>
  );
}

function TakesDown({ releases, testers, pipelines }: Expiring["takesDown"]) {
  const t = useTranslations("expiry");
  const parts = [
    ...(releases > 0 ? [t("releases", { count: releases })] : []),
    ...(testers > 0 ? [t("testers", { count: testers })] : []),
    ...(pipelines > 0 ? [t("pipelines", { count: pipelines })] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : "—";
}
