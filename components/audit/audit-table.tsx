import { ScrollText } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { TextFilter } from "@/components/common/data-table/text-filter";
import { EmptyState } from "@/components/common/empty-state";
import { Nothing } from "@/components/common/nothing";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { ActionBadge } from "./action-badge";
import { RecordTime } from "./record-time";
import { UserFilter } from "./user-filter";

type Log = OperationOutput<"config/get-audit-logs">;

export type AuditTableProps = Log & {
  kinds: OperationOutput<"config/get-audit-log-kinds">;
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"config/get-audit-logs">;
  /** The address of the list with a record opened. */
  recordHref: (id: number) => string;
};

/** The table of the audit log. */
export function AuditTable({ items, total, totalIsAtLeast, nextCursor, kinds, input, recordHref }: AuditTableProps) {
  const t = useTranslations("auditLog");
  const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  const chosenUser = items.find(({ userId }) => userId === input.userId)?.userName;
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowKey={({ id }) => String(id)}
      rowHref={({ id }) => recordHref(id)}
      rowOpensOver
      phone="cards"
      total={total}
      totalIsAtLeast={totalIsAtLeast}
      nextCursor={nextCursor}
      search={t("search")}
      defaultSort="-eventDate"
      filters={[
        { key: "table", label: t("table"), options: asOptions(kinds.tables) },
        { key: "action", label: t("action"), options: asOptions(kinds.actions) },
        { type: "control", key: "userId", control: <UserFilter chosen={chosenUser ?? undefined} /> },
        {
          type: "control",
          key: "recordId",
          control: <TextFilter name="recordId" label={t("recordId")} hint={t("recordIdHint")} />,
        },
        { type: "dates", fromKey: "from", toKey: "to", label: t("eventDate") },
      ]}
      toolbarEnd={
        <ExportButton path="config/get-audit-logs" input={input} total={total} totalIsAtLeast={totalIsAtLeast} />
      }
      columns={[
        { key: "id", header: t("id"), cell: ({ id }) => <Mono>{id}</Mono> },
        {
          key: "user",
          header: t("userId"),
          className: "lg:max-w-24 xl:max-w-44 2xl:max-w-56",
          cell: (record) => <Caller {...record} />,
        },
        { key: "table", header: t("table"), cell: ({ table }) => <Mono>{table}</Mono> },
        {
          key: "recordId",
          header: t("recordId"),
          className: "lg:max-w-20 xl:max-w-36 2xl:max-w-80",
          cell: ({ recordId }) => (recordId === null ? <Nothing label={t("none")} /> : <Id>{recordId}</Id>),
        },
        { key: "action", header: t("action"), cell: ({ action }) => <ActionBadge action={action} /> },
        {
          key: "eventDate",
          header: t("eventDate"),
          sort: "eventDate",
          className: "whitespace-nowrap tabular-nums",
          cell: ({ eventDate }) => <RecordTime date={eventDate} />,
        },
      ]}
      empty={<EmptyState icon={<ScrollText />} title={t("empty.title")} description={t("empty.description")} />}
    />
  );
}

/** Who made the change: the name and the ID of a user or API token. */
function Caller({ userId, userName, tokenId, tokenName }: Log["items"][number]) {
  const t = useTranslations("auditLog");
  const id = userId ?? tokenId;
  if (id === null) return <span className="text-muted-foreground">{t("nobody")}</span>;
  const name = userId === null ? t("apiToken", { name: tokenName ?? t("deletedToken") }) : userName;
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="break-words lg:truncate" title={name ?? undefined}>
        {name ?? t("deletedUser")}
      </span>
      <Id>{id}</Id>
    </span>
  );
}

function Mono({ children }: { children: ReactNode }) {
  return <span className="font-mono text-[0.8125rem] tabular-nums">{children}</span>;
}

/** An ID, which is truncated in narrow tables. */
function Id({ children }: { children: string }) {
  return (
    <span
      title={children}
      className="block break-all font-mono text-muted-foreground text-xs leading-4 lg:truncate lg:break-normal"
    >
      {children}
    </span>
  );
}
