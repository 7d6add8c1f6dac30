"use client";

import { ArrowRight, GitCompareArrows, Rows3, Scale } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DataTable, type DataTableColumn } from "@/components/common/data-table/data-table";
import { TableLink, useTableAddress } from "@/components/common/data-table/data-table-frame";
import { EmptyState } from "@/components/common/empty-state";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDialog } from "@/components/common/use-dialog";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Label } from "@/components/ui/label";
import type { EntryKind } from "@/lib/features/configuration/schema";
import { ComparisonCell } from "./comparison-cell";
import type { ComparedPlace } from "./comparison-places";
import { areBothSet, type ComparedRow, isCopyable, isDifference, withComparison } from "./comparison-rows";
import { useSecretComparison } from "./use-secret-comparison";

// Loaded when it is opened for the first time, not with the table.
const CopyDialog = lazyDialog(() => import("./copy-dialog").then((file) => file.CopyDialog));

export type ComparisonTableProps = {
  kind: EntryKind;
  from: ComparedPlace;
  to: ComparedPlace;
  rows: readonly ComparedRow[];
  total: number;
  nextCursor: string | null;
  /** Whether the rows contain keys that do not differ. */
  showsAll: boolean;
  valuesOmitted: boolean;
};

/** Two environments side by side: a row for each key, with copies from the first to the second. */
export function ComparisonTable({
  kind,
  from,
  to,
  rows: given,
  showsAll,
  valuesOmitted,
  ...page
}: ComparisonTableProps) {
  const t = useTranslations("configuration.comparison");
  const search = useTranslations("variables")("search");
  const secrets = useSecretComparison({ kind, from, to });
  const copying = useDialog();
  const [copied, setCopied] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  const compared = given.map((row) => withComparison(row, secrets.differs));
  const rows = showsAll ? compared : compared.filter(isDifference);
  const copyable = to.canWrite ? rows.filter(isCopyable).map(({ key }) => key) : [];
  const selected = copyable.filter((key) => chosen.has(key));
  const unknown = kind === "secure-variable" ? compared.filter((row) => areBothSet(row) && row.same === undefined) : [];

  const copy = (keys: readonly string[]) => {
    setCopied(keys);
    copying.show();
  };
  const choose = (keys: readonly string[], isChosen: boolean) =>
    setChosen((before) => new Set([...before].filter((key) => !keys.includes(key)).concat(isChosen ? keys : [])));

  const copySelected = (className: string) => (
    <Button onClick={() => copy(selected)} className={className}>
      {t("copySelected", { count: selected.length, environment: to.name })}
    </Button>
  );

  const keyColumn: DataTableColumn<ComparedRow> = {
    key: "key",
    header: t("key"),
    sort: "key",
    className: "lg:max-w-52 xl:max-w-72",
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-3">
        {copyable.length > 0 && (
          <Checkbox
            aria-label={t("select", { key: row.key })}
            disabled={!copyable.includes(row.key)}
            checked={chosen.has(row.key) && copyable.includes(row.key)}
            onCheckedChange={(checked) => choose([row.key], checked === true)}
          />
        )}
        <code title={row.key} className="min-w-0 font-mono text-[0.8125rem] [overflow-wrap:anywhere] lg:truncate">
          {row.key}
        </code>
      </span>
    ),
  };
  const valueColumn = (side: "from" | "to", place: ComparedPlace): DataTableColumn<ComparedRow> => ({
    key: side,
    header: place.name,
    className: "lg:w-52 lg:max-w-52 xl:w-72 xl:max-w-72",
    cell: (row) => <ComparisonCell row={row} side={side} place={place} />,
  });
  const copyButton = ({ key }: ComparedRow) =>
    copyable.includes(key) && (
      <Button
        variant="ghost"
        size="sm"
        aria-label={t("copyKey", { key, environment: to.name })}
        onClick={() => copy([key])}
        className="text-muted-foreground"
      >
        <span className="max-w-48 truncate max-xl:sr-only">{t("copyTo", { environment: to.name })}</span>
        <ArrowRight aria-hidden />
      </Button>
    );

  return (
    <>
      {unknown.length > 0 && <SecretsHint keys={unknown.map(({ key }) => key)} secrets={secrets} />}
      {valuesOmitted && <Alert tone="info">{t("valuesOmitted")}</Alert>}
      <DataTable<ComparedRow>
        label={t("label", { from: from.name, to: to.name })}
        rows={rows}
        rowKey={({ key }) => key}
        phone="cards"
        {...page}
        totalLabel={t(showsAll || kind === "secure-variable" ? "found" : "different", { count: page.total })}
        search={search}
        defaultSort="key"
        filters={[{ type: "control", key: "state", control: <DifferencesSwitch showsAll={showsAll} /> }]}
        toolbarEnd={
          copyable.length > 0 ? (
            <>
              <Label className="min-h-8 gap-2 whitespace-nowrap font-normal max-lg:min-h-11">
                <Checkbox
                  checked={selected.length === copyable.length || (selected.length > 0 && "indeterminate")}
                  onCheckedChange={(checked) => choose(copyable, checked === true)}
                />
                {t("selectAll")}
              </Label>
              {selected.length > 0 && copySelected("max-lg:hidden")}
            </>
          ) : undefined
        }
        columns={[keyColumn, valueColumn("from", from), valueColumn("to", to)]}
        rowActions={copyable.length > 0 ? copyButton : undefined}
        empty={
          showsAll ? (
            <EmptyState icon={<Rows3 />} title={t("empty.title")} description={t("empty.description")} />
          ) : (
            <NoDifferences from={from.name} to={to.name} />
          )
        }
      />
      {/* On phones, the toolbar is one line that scrolls sideways. */}
      {selected.length > 0 && (
        <div className="sticky bottom-0 z-10 -mx-4 flex border-border border-t bg-background px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] lg:hidden">
          {copySelected("h-11 flex-1")}
        </div>
      )}
      <OpenedDialog state={copying}>
        {(dialog) => (
          <CopyDialog
            {...dialog}
            kind={kind}
            from={from}
            to={to}
            keys={copied}
            onCopied={() => {
              choose(copied, false);
              secrets.markSame(copied);
            }}
          />
        )}
      </OpenedDialog>
    </>
  );
}

type SecretsHintProps = { keys: readonly string[]; secrets: ReturnType<typeof useSecretComparison> };

/** Says that secret values are not compared yet, and compares them. */
function SecretsHint({ keys, secrets }: SecretsHintProps) {
  const t = useTranslations("configuration.comparison");
  return (
    <Alert tone="info">
      <span className="flex flex-wrap items-center justify-between gap-3">
        <span className="min-w-0 flex-1 basis-64">{t("secretsHint")}</span>
        {secrets.canCompare && (
          <Button variant="secondary" size="sm" loading={secrets.pending} onClick={() => void secrets.compare(keys)}>
            <Scale aria-hidden />
            {t("compareSecrets")}
          </Button>
        )}
      </span>
    </Alert>
  );
}

/** Whether only keys are shown that differ, which is the default. */
function DifferencesSwitch({ showsAll }: { showsAll: boolean }) {
  const t = useTranslations("configuration.comparison");
  const { change } = useTableAddress();
  return (
    <Label className="min-h-8 gap-2 whitespace-nowrap font-normal max-lg:min-h-11">
      <Checkbox
        checked={!showsAll}
        onCheckedChange={(checked) => change({ state: checked === true ? null : "all" }, { scroll: false })}
      />
      {t("onlyDifferences")}
    </Label>
  );
}

function NoDifferences({ from, to }: { from: string; to: string }) {
  const t = useTranslations("configuration.comparison");
  return (
    <EmptyState
      icon={<GitCompareArrows />}
      title={t("equal.title")}
      description={t("equal.description", { from, to })}
      action={
        <Button asChild variant="secondary">
          <TableLink changes={{ state: "all" }}>{t("showAll")}</TableLink>
        </Button>
      }
    />
  );
}
