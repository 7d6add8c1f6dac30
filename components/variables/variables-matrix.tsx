import { Check, Minus, Rows3 } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTableEmpty } from "@/components/common/data-table/data-table-empty";
import { DataTableFrame } from "@/components/common/data-table/data-table-frame";
import { DataTablePagination } from "@/components/common/data-table/data-table-pagination";
import { DataTableToolbar } from "@/components/common/data-table/data-table-toolbar";
import type { TableFilter } from "@/components/common/data-table/table-filter";
import { EmptyState } from "@/components/common/empty-state";
import { HoverLink } from "@/components/common/hover-link";
import { entriesPath } from "@/components/common/navigation/paths";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { VariablesMatrix as Matrix, VariableKind } from "@/lib/features/configuration/schema";

export type VariablesMatrixProps = {
  kind: VariableKind;
  place: { appId: string; environmentId: string };
  matrix: Matrix;
  isAdmin: boolean;
};

/** Which environments of an application have which keys, without values: one page of keys. */
export function VariablesMatrix({ kind, place, matrix, isAdmin }: VariablesMatrixProps) {
  const t = useTranslations("variables.matrix");
  const searchPlaceholder = useTranslations("variables")("search");
  const { environments, rows, missing, total, nextCursor } = matrix;
  const stateFilter: TableFilter = {
    key: "state",
    label: t("state"),
    options: [{ value: "missing", label: t("missingSomewhere") }],
  };
  const toolbar = (
    <DataTableToolbar
      search={searchPlaceholder}
      filters={[stateFilter]}
      sorts={[{ value: "key", label: t("key") }]}
      isEmpty={rows.length === 0}
    />
  );
  if (rows.length === 0) {
    return (
      <DataTableFrame toolbar={toolbar}>
        <DataTableEmpty filterKeys={["search", "state"]}>
          <EmptyState icon={<Rows3 />} title={t("emptyTitle")} description={t("empty")} />
        </DataTableEmpty>
      </DataTableFrame>
    );
  }
  return (
    <DataTableFrame toolbar={toolbar}>
      <Alert tone={missing > 0 ? "warning" : "success"}>
        {missing > 0 ? t("gaps", { count: missing }) : t("allSet")}
      </Alert>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label={t("title")} tabIndex={0} className="overflow-x-auto rounded-lg border border-border bg-card">
        <Table aria-label={t("title")}>
          <TableHeader>
            <TableRow>
              <TableHead className="sticky left-0 bg-card">{t("key")}</TableHead>
              {environments.map(({ id, name }) => (
                <TableHead key={id}>
                  <HoverLink
                    href={entriesPath(kind, { appId: place.appId, environmentId: id }, isAdmin)}
                    aria-current={id === place.environmentId ? "page" : undefined}
                    className="inline-flex min-h-6 min-w-6 items-center text-link underline-offset-4 hover:underline max-lg:min-h-11 max-lg:min-w-11 aria-[current=page]:font-semibold aria-[current=page]:text-foreground"
                  >
                    {name}
                  </HoverLink>
                </TableHead>
              ))}
            </TableRow>
          </TableHeader>
          <TableBody>
            {rows.map(({ key, cells }) => (
              <TableRow key={key}>
                <TableHead
                  scope="row"
                  className="sticky left-0 max-w-64 truncate bg-card text-foreground max-lg:max-w-40 max-lg:whitespace-normal max-lg:break-all"
                  title={key}
                >
                  <code className="font-mono text-[0.8125rem]">{key}</code>
                </TableHead>
                {cells.map((cell) => (
                  <TableCell key={cell.environmentId} className="whitespace-nowrap">
                    <CellState {...cell} isFirst={cell === cells.find(({ state }) => state !== "missing")} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </section>
      <DataTablePagination total={total} nextCursor={nextCursor} />
    </DataTableFrame>
  );
}

type CellStateProps = Matrix["rows"][number]["cells"][number] & {
  /** Whether it is the first environment that has the key, which the others are compared with. */
  isFirst: boolean;
};

function CellState({ state, same, isFirst }: CellStateProps) {
  const t = useTranslations("variables.matrix");
  if (state === "missing") {
    return (
      <Badge tone="danger">
        <Minus aria-hidden />
        {t("missing")}
      </Badge>
    );
  }
  if (state === "inactive") return <Badge tone="outline">{t("inactive")}</Badge>;
  if (same === false) return <Badge tone="info">{t("different")}</Badge>;
  return (
    <span className="inline-flex items-center gap-1 text-muted-foreground">
      <Check aria-hidden className="size-4 shrink-0 text-success" />
      {t(same === undefined || isFirst ? "set" : "same")}
    </span>
  );
}
