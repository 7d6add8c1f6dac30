import { ScrollText } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { TextFilter } from "@/components/common/data-table/text-filter";
import { EmptyState } from "@/components/common/empty-state";
import { Nothing } from "@/components/common/nothing";
import { RelativeTime } from "@/components/common/relative-time";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { ActionBadge, ActionIcon } from "./action-badge";
import { placeText } from "./record-place";
import { RecordTimeLines } from "./record-time";
import { useKindLabels } from "./use-kind-labels";
import { UserFilter } from "./user-filter";

type Log = OperationOutput<"config/get-audit-logs">;
type Item = Log["items"][number];

export type AuditTableProps = Log & {
  kinds: OperationOutput<"config/get-audit-log-kinds">;
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"config/get-audit-logs">;
  /** The address of the list with a record opened. */
  recordHref: (id: number) => string;
};

/** The table of the audit log. */
export function AuditTable({ items, kinds, input, recordHref, ...page }: AuditTableProps) {
  const t = useTranslations("auditLog");
  const locale = useLocale();
  const { tableLabel, actionLabel } = useKindLabels();
  const asOptions = (codes: readonly string[], label: (code: string) => string) =>
    codes
      .map((value) => ({ value, label: label(value) }))
      .sort((one, other) => one.label.localeCompare(other.label, locale));
  const chosenUser = items.find(({ userId }) => userId === input.userId)?.userName;
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowKey={({ id }) => String(id)}
      rowHref={({ id }) => recordHref(id)}
      rowOpensOver
      ids={t("ids")}
      {...page}
      search={t("search")}
      defaultSort="-eventDate"
      filters={[
        { key: "table", label: t("table"), options: asOptions(kinds.tables, tableLabel) },
        { key: "action", label: t("action"), options: asOptions(kinds.actions, actionLabel) },
        { type: "control", key: "userId", control: <UserFilter chosen={chosenUser ?? undefined} /> },
        {
          type: "control",
          key: "recordId",
          control: <TextFilter name="recordId" label={t("recordId")} hint={t("recordIdHint")} />,
        },
        { type: "dates", fromKey: "from", toKey: "to", label: t("eventDate") },
      ]}
      toolbarEnd={
        <ExportButton
          path="config/get-audit-logs"
          input={input}
          total={page.total}
          totalIsAtLeast={page.totalIsAtLeast}
        />
      }
      columns={[
        {
          key: "what",
          header: t("what"),
          className: "max-lg:whitespace-normal lg:min-w-64",
          cell: (record) => <What {...record} />,
        },
        { key: "id", header: t("id"), cell: ({ id }) => <Mono>{id}</Mono> },
        {
          key: "user",
          header: t("userId"),
          hide: "narrow",
          className: "xl:max-w-36 2xl:max-w-56",
          cell: (record) => <Caller {...record} />,
        },
        {
          key: "table",
          header: t("table"),
          className: "lg:max-w-32 2xl:max-w-48",
          cell: ({ table }) => (
            <span title={table} className="break-words lg:line-clamp-2">
              {tableLabel(table)}
            </span>
          ),
        },
        {
          key: "recordId",
          header: t("recordId"),
          hide: "narrow",
          className: "xl:max-w-36 2xl:max-w-80",
          cell: (record) => <ChangedObject {...record} />,
        },
        {
          key: "action",
          header: t("action"),
          className: "lg:max-w-36 2xl:max-w-52",
          cell: ({ action }) => <ActionBadge action={action} label={actionLabel(action)} />,
        },
        {
          key: "eventDate",
          header: t("eventDate"),
          sort: "eventDate",
          phone: () => true,
          className: "tabular-nums",
          cell: ({ eventDate }) => (
            <>
              <RelativeTime date={eventDate} className="text-muted-foreground text-xs lg:hidden" />
              <span className="max-lg:hidden">
                <RecordTimeLines date={eventDate} />
              </span>
            </>
          ),
        },
      ]}
      empty={<EmptyState icon={<ScrollText />} title={t("empty.title")} description={t("empty.description")} />}
    />
  );
}

/** What happened, in words, and where. Phones show both in two lines. */
function What({ action, sentence, place }: Item) {
  return (
    <span className="flex min-w-0 gap-2.5">
      <ActionIcon action={action} />
      <span className="min-w-0 [overflow-wrap:anywhere] max-lg:line-clamp-2 lg:flex lg:flex-col">
        <span dir="auto">{sentence}</span>
        {place && (
          <span className="font-normal text-muted-foreground lg:text-xs">
            <span className="lg:hidden"> · </span>
            {placeText(place)}
          </span>
        )}
      </span>
    </span>
  );
}

/** Who made the change: the name and the ID of a user or API token. */
function Caller({ userId, tokenId, actorName }: Item) {
  const t = useTranslations("auditLog");
  const id = userId ?? tokenId;
  if (id === null) return <span className="text-muted-foreground">{t("nobody")}</span>;
  const deleted = userId === null ? t("apiToken", { name: t("deletedToken") }) : t("deletedUser");
  const name = userId === null && actorName !== null ? t("apiToken", { name: actorName }) : actorName;
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span dir="auto" className="break-words lg:truncate" title={name ?? undefined}>
        {name ?? deleted}
      </span>
      <Id>{id}</Id>
    </span>
  );
}

/** The object of a record: its ID, and below it the name that it had. */
function ChangedObject({ recordId, recordName }: Item) {
  const t = useTranslations("auditLog");
  if (recordId === null && recordName === null) return <Nothing label={t("none")} />;
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      {recordId !== null && <Id>{recordId}</Id>}
      {recordName === null && (
        <span className="not-in-data-without-ids:hidden">
          <Nothing label={t("none")} />
        </span>
      )}
      {recordName !== null && (
        <span dir="auto" className="break-words lg:truncate" title={recordName}>
          {recordName}
        </span>
      )}
    </span>
  );
}

function Mono({ children }: { children: ReactNode }) {
  return <span className="font-mono text-[0.8125rem] tabular-nums">{children}</span>;
}

/** An ID, which is hidden until somebody chooses to see IDs, and truncated in narrow tables. */
function Id({ children }: { children: string }) {
  return (
    <span
      title={children}
      className="block break-all font-mono text-muted-foreground text-xs leading-4 in-data-without-ids:hidden lg:truncate lg:break-normal"
    >
      {children}
    </span>
  );
}
