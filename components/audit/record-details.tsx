import { EyeOff } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Fact, Facts } from "@/components/common/facts";
import { HoverLink } from "@/components/common/hover-link";
import { Nothing } from "@/components/common/nothing";
import { Badge } from "@/components/ui/badge";
import type { AuditLog } from "@/lib/features/audit/schema";
import { PAGES, pagePath, TOKENS_PATH } from "@/lib/kernel/navigation/pages";
import { recordPath } from "./record-path";
import { placeText } from "./record-place";
import { RecordTime } from "./record-time";
import { useKindLabels } from "./use-kind-labels";

const LINK = "break-words text-link underline-offset-4 hover:underline";

/** One record of the audit log: what changed, who changed it, and where it is in the chain. */
export function RecordDetails({ record }: { record: AuditLog }) {
  const t = useTranslations("auditLog");
  const { tableLabel, actionLabel } = useKindLabels();
  return (
    <>
      <Changes record={record} />
      <Facts
        long
        items={
          [
            { label: t("eventDate"), value: <RecordTime date={record.eventDate} /> },
            { label: t("changedBy"), value: <ChangedBy record={record} /> },
            { label: t("table"), value: <Labelled code={record.table}>{tableLabel(record.table)}</Labelled> },
            { label: t("recordId"), value: <ChangedObject record={record} /> },
            { label: t("action"), value: <Labelled code={record.action}>{actionLabel(record.action)}</Labelled> },
            ...(record.place ? [{ label: t("place"), value: <span dir="auto">{placeText(record.place)}</span> }] : []),
            { label: t("address"), value: record.ip ? <Code>{record.ip}</Code> : <Nothing label={t("none")} /> },
            { label: t("requestId"), value: <Code>{record.requestId}</Code> },
            { label: t("previousHash"), value: <Code>{record.previousHash}</Code> },
            { label: t("hash"), value: <Code>{record.hash}</Code> },
          ] satisfies Fact[]
        }
      />
    </>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <span className="break-all font-mono text-[0.8125rem]">{children}</span>;
}

/** A table or action in words, and its code. */
function Labelled({ code, children }: { code: string; children: string }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {children}
      {children !== code && <Code>{code}</Code>}
    </span>
  );
}

function ChangedBy({ record }: { record: AuditLog }) {
  const { userId, userName, userEmail, tokenId, actorName } = record;
  const t = useTranslations("auditLog");
  if (userId !== null) {
    return (
      <span className="flex flex-col gap-0.5">
        {userEmail === null ? (
          t("deletedUser")
        ) : (
          <HoverLink href={pagePath(PAGES.adminUsers, { search: userEmail })} className={LINK}>
            {userName} ({userEmail})
          </HoverLink>
        )}
        {actorName !== null && userName !== null && actorName !== userName && (
          <span className="text-muted-foreground">{t("nameThen", { name: actorName })}</span>
        )}
        <Code>{userId}</Code>
        <History parameter="userId" value={userId}>
          {t("historyOfUser")}
        </History>
      </span>
    );
  }
  if (tokenId === null) return t("nobody");
  return (
    <span className="flex flex-col gap-0.5">
      <HoverLink href={TOKENS_PATH} className={LINK}>
        {t("apiToken", { name: actorName ?? t("deletedToken") })}
      </HoverLink>
      <Code>{tokenId}</Code>
    </span>
  );
}

function ChangedObject({ record }: { record: AuditLog }) {
  const t = useTranslations("auditLog");
  const path = recordPath(record);
  const name = record.record?.name ?? t("openRecord");
  // People are named by their names and e-mail here, and found by the e-mail.
  const isAsThen =
    record.recordName !== null && record.record !== null && record.recordName.includes(record.record.name);
  const nameThen = isAsThen ? null : record.recordName;
  if (record.recordId === null && path === null) return <Nothing label={t("none")} />;
  return (
    <span className="flex flex-col gap-0.5">
      {path ? (
        <HoverLink href={path} className={LINK}>
          {name}
        </HoverLink>
      ) : (
        record.record?.name
      )}
      {nameThen !== null && <span className="text-muted-foreground">{t("nameThen", { name: nameThen })}</span>}
      {record.recordId !== null && (
        <>
          <Code>{record.recordId}</Code>
          <History parameter="recordId" value={record.recordId}>
            {t("historyOfRecord")}
          </History>
        </>
      )}
    </span>
  );
}

/** A link to all records about one object or of one user. */
function History({
  parameter,
  value,
  children,
}: {
  parameter: "recordId" | "userId";
  value: string;
  children: string;
}) {
  return (
    <HoverLink href={pagePath(PAGES.adminLogs, { [parameter]: value })} className={LINK}>
      {children}
    </HoverLink>
  );
}

/** The changed fields with their values before and after. */
function Changes({ record: { changes, redacted } }: { record: AuditLog }) {
  const t = useTranslations("auditLog");
  const fields = Object.entries(changes);
  if (fields.length === 0) return <p className="text-muted-foreground">{t("noChanges")}</p>;
  return (
    <section aria-label={t("changes")} className="flex flex-col gap-2">
      <h3 className="font-medium">{t("changes")}</h3>
      <ul className="divide-y divide-border rounded-lg border border-border">
        {fields.map(([field, [before, after]]) => (
          <li key={field} className="flex flex-col gap-2 p-3">
            <span className="flex flex-wrap items-center gap-2">
              <Code>{field}</Code>
              {redacted.includes(field) && (
                <Badge tone="outline">
                  <EyeOff aria-hidden />
                  {t("redacted")}
                </Badge>
              )}
            </span>
            <dl className="grid gap-2 sm:grid-cols-2">
              <Value label={t("before")} value={before} redacted={redacted.includes(field)} tone="danger" />
              <Value label={t("after")} value={after} redacted={redacted.includes(field)} tone="success" />
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

const SURFACES = {
  danger: "border-danger-border bg-danger-surface",
  success: "border-success-border bg-success-surface",
};

type ValueProps = { label: string; value: unknown; redacted: boolean; tone: keyof typeof SURFACES };

function Value({ label, value, redacted, tone }: ValueProps) {
  const t = useTranslations("auditLog");
  const isSet = value !== null;
  return (
    <div
      className={`flex min-w-0 flex-col gap-0.5 rounded-md border px-2.5 py-1.5 ${isSet ? SURFACES[tone] : "border-border"}`}
    >
      <dt className="text-muted-foreground text-xs">{label}</dt>
      <dd className="whitespace-pre-wrap break-words font-mono text-[0.8125rem] leading-5 [overflow-wrap:anywhere]">
        {!isSet && <Nothing label={t("none")} />}
        {isSet && (redacted ? <span className="font-sans italic">{t("redactedValue")}</span> : asText(value))}
      </dd>
    </div>
  );
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
