import { Braces, KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEntryColumns } from "@/components/common/configuration/entry-columns";
import { DataTable } from "@/components/common/data-table/data-table";
import { useStatusColumn, useStatusFilter } from "@/components/common/data-table/status";
import { EmptyState } from "@/components/common/empty-state";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import type { VariableKind } from "@/lib/features/configuration/schema";
import type { SecureVariable } from "@/lib/features/variables/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { PlainValue } from "./plain-value";
import { SecretValue } from "./secret-value";
import { shownValue } from "./shown-value";
import { CreateVariableButton, ExportVariablesMenu, ImportVariablesButton, VariableMenu } from "./variable-actions";

type Row = SecureVariable & { value?: string };

export type VariablesTableProps = Pick<
  OperationOutput<"apps/get-secure-variables">,
  "total" | "totalIsAtLeast" | "nextCursor"
> & {
  kind: VariableKind;
  environmentId: string;
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"apps/get-secure-variables">;
  /** Development variables with their values, secure ones without. */
  items: readonly Row[];
  canWrite: boolean;
  /** Whether a deletion can be undone; this needs the history. */
  canUndo: boolean;
};

/** The variables of a kind in an environment. */
export function VariablesTable({ kind, environmentId, input, items, canWrite, canUndo, ...page }: VariablesTableProps) {
  const t = useTranslations("variables");
  const statusFilter = useStatusFilter("feminine");
  const statusColumn = useStatusColumn("feminine");
  const { name, key, changed } = useEntryColumns();
  // Imported variables are named by their key.
  const hasNames = items.length === 0 || items.some((item) => item.name !== item.key);
  return (
    <DataTable<Row>
      label={t(`title.${kind}`)}
      rows={items}
      rowKey={({ id }) => id}
      {...page}
      search={t("search")}
      defaultSort={hasNames ? "name" : "key"}
      filters={[statusFilter]}
      toolbarEnd={
        <ExportVariablesMenu
          kind={kind}
          environmentId={environmentId}
          input={input}
          total={page.totalIsAtLeast ? null : page.total}
        />
      }
      columns={[
        key,
        ...(hasNames ? [name] : []),
        {
          key: "value",
          header: t("value"),
          phone: kind === "dev-variable" ? "fact" : undefined,
          className: "lg:w-48 lg:max-w-48 xl:w-60 xl:max-w-60 2xl:w-80 2xl:max-w-80",
          cell: ({ id, key, value }) => {
            if (value === undefined) return <SecretValue id={id} name={key} />;
            const { text, wholeValue } = shownValue(value);
            return <PlainValue id={id} name={key} shown={text} isWhole={wholeValue === text} />;
          },
        },
        statusColumn,
        { ...changed, hide: "narrow", phone: kind === "dev-variable" ? undefined : "fact" },
      ]}
      rowActions={
        canWrite
          ? ({ value, ...variable }) => (
              <VariableMenu
                kind={kind}
                variable={variable}
                canUndo={canUndo}
                value={value === undefined ? undefined : shownValue(value).wholeValue}
              />
            )
          : undefined
      }
      empty={
        <EmptyState
          icon={kind === "dev-variable" ? <Braces /> : <KeyRound />}
          title={t(`empty.title.${kind}`)}
          description={t(canWrite ? "empty.description" : "empty.readOnly")}
          docs={`${PAGES.docs}/secrets`}
          action={
            canWrite ? (
              <div className="flex flex-wrap justify-center gap-2">
                <CreateVariableButton kind={kind} environmentId={environmentId} />
                <ImportVariablesButton kind={kind} environmentId={environmentId} />
              </div>
            ) : undefined
          }
        />
      }
    />
  );
}
