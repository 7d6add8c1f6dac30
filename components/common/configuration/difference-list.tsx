"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { ConfigurationDiff } from "@/lib/features/configuration/schema";

const CHANGE_TONES = { added: "success", removed: "danger", changed: "info" } as const;

/** The differences that are shown at first, because an import can have thousands. */
const SHOWN_AT_FIRST = 100;

export type DifferenceListProps = Pick<ConfigurationDiff, "items" | "valuesOmitted"> & {
  /** Whether all are of one kind, which is then not named. */
  isOneKind?: boolean;
};

/** What differs between two states of a configuration: the old and the new value of each entry, without secure values. */
export function DifferenceList({ items, valuesOmitted, isOneKind = false }: DifferenceListProps) {
  const t = useTranslations("configuration.diff");
  const kinds = useTranslations("configuration.kind");
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul className="flex flex-col gap-3">
        {shown.map((item) => (
          <li
            key={`${item.kind} ${item.key}`}
            className="flex min-w-0 flex-col gap-2 rounded-lg border border-border px-3 py-2.5"
          >
            <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
              <Badge tone={CHANGE_TONES[item.change]}>{t(item.change)}</Badge>
              <code className="min-w-0 break-all font-mono text-[0.8125rem]">{item.key}</code>
              {!isOneKind && <span className="text-muted-foreground text-xs">{kinds(item.kind)}</span>}
            </span>
            <ItemDetails item={item} valuesOmitted={valuesOmitted === true} />
          </li>
        ))}
      </ul>
      {shown.length < items.length && (
        <Button variant="secondary" className="self-start" onClick={() => setAll(true)}>
          {t("showAll", { count: items.length })}
        </Button>
      )}
    </>
  );
}

type ItemDetailsProps = { item: ConfigurationDiff["items"][number]; valuesOmitted: boolean };

function ItemDetails({ item, valuesOmitted }: ItemDetailsProps) {
  const t = useTranslations("configuration.diff");
  const statuses = useTranslations("common.status");
  const isHidden =
    item.change === "changed" && item.valueChanged && item.before === undefined && item.after === undefined;
  const { status, name } = item.change === "changed" ? item.fields : {};
  const statusText = (value: unknown) =>
    value === "active" || value === "inactive" ? statuses(value, { gender: "feminine" }) : "";
  return (
    <>
      {item.valueChanged && item.before !== undefined && <ValueLine sign="−" label={t("before")} value={item.before} />}
      {item.valueChanged && item.after !== undefined && <ValueLine sign="+" label={t("after")} value={item.after} />}
      {isHidden && (
        <p className="text-muted-foreground">
          {t(item.kind !== "dev-variable" ? "hidden" : valuesOmitted ? "omitted" : "hiddenAccess")}
        </p>
      )}
      {name && (
        <p className="break-words text-muted-foreground">
          {t("field", { field: t("name"), before: String(name[0]), after: String(name[1]) })}
        </p>
      )}
      {item.kind === "secure-certificate" && item.change === "changed" && <CertificateFields fields={item.fields} />}
      {status && (
        <p className="text-muted-foreground">
          {t("field", { field: t("status"), before: statusText(status[0]), after: statusText(status[1]) })}
        </p>
      )}
    </>
  );
}

/** What differs in a certificate's file. */
function CertificateFields({ fields }: Pick<ConfigurationDiff["items"][number], "fields">) {
  const t = useTranslations("configuration.diff");
  const certificates = useTranslations("certificates");
  const format = useFormatter();
  const day = (value: unknown) =>
    typeof value === "string" ? format.dateTime(new Date(value), { dateStyle: "medium" }) : certificates("unknown");
  const text = (value: unknown) => (typeof value === "string" ? value : certificates("unknown"));
  const { fileName, subject, expirationDate } = fields;
  const lines = [
    fileName && { field: certificates("file"), before: text(fileName[0]), after: text(fileName[1]) },
    subject && { field: certificates("facts.subject"), before: text(subject[0]), after: text(subject[1]) },
    expirationDate && {
      field: certificates("facts.expires"),
      before: day(expirationDate[0]),
      after: day(expirationDate[1]),
    },
  ].filter((line) => line !== undefined);
  return lines.map((line) => (
    <p key={line.field} className="break-words text-muted-foreground">
      {t("field", line)}
    </p>
  ));
}

function ValueLine({ sign, label, value }: { sign: "−" | "+"; label: string; value: string }) {
  const t = useTranslations("configuration.diff");
  return (
    <div
      className={
        sign === "+"
          ? "flex min-w-0 gap-2 rounded-md bg-success-surface px-2 py-1"
          : "flex min-w-0 gap-2 rounded-md bg-danger-surface px-2 py-1"
      }
    >
      <span aria-hidden className="select-none font-mono">
        {sign}
      </span>
      <span className="sr-only">{label}</span>
      {value === "" ? (
        <span className="text-muted-foreground">{t("empty")}</span>
      ) : (
        <code className="min-w-0 whitespace-pre-wrap break-all font-mono text-[0.8125rem]">{value}</code>
      )}
    </div>
  );
}

/** How many entries are added, changed and deleted, in words: "21 deleted, 1 changed". */
export function useDifferenceCounts(): (items: ConfigurationDiff["items"]) => string {
  const t = useTranslations("configuration.diff.counts");
  const format = useFormatter();
  return (items) => {
    const parts = (["removed", "changed", "added"] as const).flatMap((change) => {
      const count = items.filter((item) => item.change === change).length;
      return count > 0 ? [t(change, { count })] : [];
    });
    return format.list(parts, { type: "unit" });
  };
}
