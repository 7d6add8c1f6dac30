import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { HoverLink } from "../hover-link";
import { DataTableEmpty } from "./data-table-empty";
import { DataTableFrame } from "./data-table-frame";
import { DataTableRow, RowToggle } from "./data-table-row";
import { IDS } from "./ids";
import { DataTablePagination, DataTableToolbar } from "./parts-on-demand";
import { SortableHead } from "./sortable-head";
import { keysOfFilter, type TableFilter } from "./table-filter";

export type DataTableColumn<Row> = {
  /** Identifies the column. */
  key: string;
  /** The column's name; also the label of the value on phones. */
  header: string;
  /** Whether only assistive technology reads the header, where the cells speak for themselves. */
  hideHeader?: boolean;
  cell: (row: Row) => ReactNode;
  /** The column's name in the list's `sort` parameter; if omitted, the column cannot be sorted. */
  sort?: string;
  /** Use "end" for numbers. */
  align?: "start" | "end";
  /** Hides the column on the cards of phones, or on desktops below 1280 px. */
  hide?: "phone" | "narrow";
  /**
   * The place of the column in a row of two lines on phones: below the first column, or, if the function says so, as a
   * mark at the end, such as an unusual status. Other columns are shown when the row is opened.
   */
  phone?: "fact" | ((row: Row) => boolean);
  /** Classes of the cells, such as a width or `font-mono`. */
  className?: string;
};

/** A column of the table itself: those of its owner, and the one that `rowActions` makes. */
type TableColumn<Row> = DataTableColumn<Row> & { actions?: boolean };

export type DataTableProps<Row> = {
  /** What the list contains, such as "Users". The table's accessible name. */
  label: string;
  /** The first column names the row: it contains the link and is the card's title. */
  columns: readonly [DataTableColumn<Row>, ...DataTableColumn<Row>[]];
  rows: readonly Row[];
  /** The row's menu, shown at the end of the row and in the corner of the card. */
  rowActions?: (row: Row) => ReactNode;
  /** Whether a button stands beside the row's menu. */
  hasButtonBesideMenu?: boolean;
  /** The link of a row; if omitted, rows are not links. */
  rowHref?: (row: Row) => string;
  /** Whether a row's link opens something over the list, which then keeps its scroll position. */
  rowOpensOver?: boolean;
  /**
   * How phones show a row: as two lines, which open, or follow the row's link, for the rest; or as a card with all
   * columns.
   */
  phone?: "lines" | "cards";
  /**
   * The name of the IDs in cells in the table's menu. IDs are hidden until the user shows them. Their elements have the
   * class `in-data-without-ids:hidden`.
   */
  ids?: string;
  /** Whether a row is tinted, such as the latest one. */
  isHighlighted?: (row: Row) => boolean;
  /** Number of rows on all pages. */
  total: number;
  /** Whether there are more rows than `total`. */
  totalIsAtLeast?: true;
  /** The total in words, if a row is not one result; by default "5 results". */
  totalLabel?: string;
  /** The list's `nextCursor`, the key of the next page. */
  nextCursor: string | null;
  /** Shown if the list is empty: an `EmptyState` with the next step. */
  empty: ReactNode;
  /** Placeholder of the search field, or `false` if the list cannot be searched. */
  search?: string | false;
  /** The list's default order, in the form of `sort`; its column is marked. */
  defaultSort?: string;
  filters?: readonly TableFilter[];
  /** Content at the end of the toolbar, such as an export button. */
  toolbarEnd?: ReactNode;
} & RowKey<Row>;

/** What identifies a row: its `id`, if it has one. */
type RowKey<Row> = Row extends { id: string } ? { rowKey?: (row: Row) => string } : { rowKey: (row: Row) => string };

/**
 * A page of a list: a dense table on desktops, rows of two lines or cards on phones. It is rendered on the server with its cells. Search,
 * filters, sorting and the cursor are in the URL as `search`, the filters' keys, `sort` and `cursor`; changing one of
 * them requests a new page from the server.
 */
export function DataTable<Row>({
  label,
  columns: ownColumns,
  rows,
  rowKey = (row) => (row as { id: string }).id,
  rowActions,
  hasButtonBesideMenu = false,
  rowHref,
  rowOpensOver = false,
  phone = "lines",
  ids,
  isHighlighted,
  total,
  totalIsAtLeast,
  totalLabel,
  nextCursor,
  empty,
  search,
  defaultSort,
  filters = [],
  toolbarEnd,
}: DataTableProps<Row>) {
  const t = useTranslations("common.table");
  const actionsColumn = rowActions && { key: "actions", header: "", actions: true, cell: rowActions };
  const columns: readonly TableColumn<Row>[] = actionsColumn ? [...ownColumns, actionsColumn] : ownColumns;
  const sorts = columns.flatMap(({ sort, header }) => (sort ? [{ value: sort, label: header }] : []));
  // The first column names the row, and the last one contains its actions.
  const hideable = [
    ...columns.slice(1).flatMap(({ key, header, actions }) => (actions ? [] : [{ key, header }])),
    ...(ids ? [{ key: IDS, header: ids, isHidden: true }] : []),
  ];
  const actions = rowActions ? (hasButtonBesideMenu ? 2 : 1) : 0;
  const hasFact = columns.some((column) => column.phone === "fact");
  // Rows with a link show the rest on its page.
  const canOpen = phone === "lines" && !rowHref && columns.some((column, index) => index > 0 && isInRest(column));
  const filterKeys = [...(search === false ? [] : ["search"]), ...filters.flatMap(keysOfFilter)];
  return (
    <DataTableFrame
      columnKeys={columns.map(({ key }) => key)}
      hideable={hideable}
      toolbar={
        <DataTableToolbar
          search={search}
          filters={filters}
          sorts={sorts}
          isEmpty={rows.length === 0}
          columns={hideable}
          end={toolbarEnd}
        />
      }
    >
      {rows.length === 0 ? (
        <DataTableEmpty filterKeys={filterKeys}>{empty}</DataTableEmpty>
      ) : (
        <>
          {/* `relative` keeps visually hidden text within the scrolling part. The roles are explicit because browsers
              drop the roles of table elements that are displayed as cards. */}
          {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
          <div className="relative lg:overflow-x-auto lg:rounded-lg lg:border lg:border-border lg:bg-card">
            <table role="table" aria-label={label} className="w-full border-collapse text-left text-sm max-lg:block">
              <thead role="rowgroup" className="max-lg:sr-only">
                <tr role="row" className="border-border border-b">
                  {columns.map((column) => (
                    <SortableHead
                      key={column.key}
                      sort={column.sort}
                      defaultSort={defaultSort}
                      align={column.align}
                      className={headClasses(column)}
                    >
                      {column.actions || column.hideHeader ? (
                        <span className="sr-only">{column.actions ? t("actions") : column.header}</span>
                      ) : (
                        column.header
                      )}
                    </SortableHead>
                  ))}
                </tr>
              </thead>
              <tbody role="rowgroup" className={cn("lg:divide-y lg:divide-border", PHONE_BODY[phone])}>
                {rows.map((row) => (
                  <DataTableRow
                    key={rowKey(row)}
                    className={cn(
                      "relative transition-colors",
                      isHighlighted?.(row) ? "bg-highlight" : "bg-card",
                      phone === "cards" ? CARD : cn(LINES, endOfLines(actions, canOpen)),
                      rowHref && "max-lg:active:bg-muted",
                      rowHref &&
                        "hover:bg-muted has-[[data-row-link]:focus-visible]:outline-2 has-[[data-row-link]:focus-visible]:outline-ring has-[[data-row-link]:focus-visible]:outline-offset-[-2px]",
                    )}
                  >
                    {columns.map((column, index) => (
                      <td
                        key={column.key}
                        role="cell"
                        data-label={column.header}
                        className={cn(
                          cellClasses(column, index === 0),
                          phone === "cards"
                            ? cardCell(column, index === 0)
                            : lineCell(column, index === 0, row, hasFact),
                          column.className,
                        )}
                      >
                        {index === 0 && rowHref ? (
                          <HoverLink
                            data-row-link
                            href={rowHref(row)}
                            scroll={!rowOpensOver}
                            className={cn(
                              "block min-w-0 outline-none after:absolute after:inset-0",
                              // A column of sentences lets them wrap.
                              phone === "lines" && "max-lg:overflow-hidden max-lg:text-ellipsis",
                            )}
                          >
                            {column.cell(row)}
                          </HoverLink>
                        ) : (
                          column.cell(row)
                        )}
                        {index === 0 && canOpen && <RowToggle actions={actions} />}
                      </td>
                    ))}
                  </DataTableRow>
                ))}
              </tbody>
            </table>
          </div>
          {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
          <DataTablePagination
            total={total}
            totalIsAtLeast={totalIsAtLeast}
            label={totalLabel}
            nextCursor={nextCursor}
          />
        </>
      )}
    </DataTableFrame>
  );
}

function hideClass(hide: "phone" | "narrow" | undefined): string {
  return cn(hide === "phone" && "max-lg:hidden", hide === "narrow" && "max-xl:lg:hidden");
}

function headClasses<Row>(column: TableColumn<Row>): string {
  return cn(hideClass(column.hide), column.actions && "w-0");
}

/** The list, its rows and their cells on phones. */
const PHONE_BODY = {
  lines:
    "max-lg:block max-lg:divide-y max-lg:divide-border max-lg:overflow-hidden max-lg:rounded-lg max-lg:border max-lg:border-border",
  cards: "max-lg:flex max-lg:flex-col max-lg:gap-2.5",
};
const CARD =
  "max-lg:grid max-lg:grid-cols-[minmax(6rem,2fr)_minmax(0,3fr)] max-lg:gap-x-3 max-lg:gap-y-2 max-lg:rounded-lg max-lg:border max-lg:border-border max-lg:p-4";
const LINES =
  "max-lg:grid max-lg:min-h-15 max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:[align-content:center] max-lg:items-center max-lg:gap-x-2 max-lg:py-2.5 max-lg:pl-4";
const LABEL =
  "max-lg:before:whitespace-normal max-lg:before:text-muted-foreground max-lg:before:content-[attr(data-label)]";

/** Controls are in front of the row's link or button. */
const IN_FRONT = "[&_:is(a,button)]:relative [&_:is(a,button)]:z-1";

/** Whether phones show the column when the row is opened. */
function isInRest<Row>({ actions, phone }: TableColumn<Row>): boolean {
  return !actions && phone !== "fact";
}

function cellClasses<Row>(column: TableColumn<Row>, isTitle: boolean): string {
  return cn(
    "align-middle lg:h-11 lg:px-2 lg:py-1.5 xl:px-3 lg:in-data-dense:h-8 lg:in-data-dense:py-0.5 lg:first:pl-4 lg:last:pr-4",
    isTitle ? "font-medium" : IN_FRONT,
    column.actions
      ? "z-1 max-lg:absolute max-lg:right-2.5 lg:sticky lg:right-0 lg:w-0 lg:bg-inherit lg:text-right"
      : column.align === "end" && "lg:text-right",
    !column.actions && hideClass(column.hide),
  );
}

/** The room for the menu, the button beside it and the sign that the row opens. */
function endOfLines(actions: 0 | 1 | 2, canOpen: boolean): string {
  if (actions === 2) return canOpen ? "max-lg:pr-28" : "max-lg:pr-21";
  if (actions === 1) return canOpen ? "max-lg:pr-20" : "max-lg:pr-13";
  return canOpen ? "max-lg:pr-10" : "max-lg:pr-3";
}

function cardCell<Row>(column: TableColumn<Row>, isTitle: boolean): string {
  if (column.actions) return "max-lg:top-2.5";
  // What follows would show it as a grid.
  if (column.hide === "phone") return "";
  return cn(
    "max-lg:col-span-full max-lg:[overflow-wrap:anywhere]",
    isTitle ? "max-lg:pr-10" : cn("max-lg:grid max-lg:grid-cols-subgrid max-lg:items-baseline", LABEL),
  );
}

/** A cell of a row of two lines: its title, its fact, its mark, or part of the rest. */
function lineCell<Row>(column: TableColumn<Row>, isTitle: boolean, row: Row, hasFact: boolean): string {
  if (column.actions) return "max-lg:top-3";
  if (isTitle) return "max-lg:col-start-1 max-lg:row-start-1 max-lg:min-w-0 max-lg:truncate";
  if (column.phone === "fact") {
    return "max-lg:col-start-1 max-lg:row-start-2 max-lg:min-w-0 max-lg:truncate max-lg:text-muted-foreground max-lg:text-xs";
  }
  if (typeof column.phone === "function" && column.phone(row))
    return cn("max-lg:col-start-2 max-lg:row-start-1", hasFact && "max-lg:row-span-2");
  return cn(
    "max-lg:col-span-full max-lg:mt-2 max-lg:grid-cols-[minmax(6rem,2fr)_minmax(0,3fr)] max-lg:items-baseline max-lg:gap-x-3 max-lg:[overflow-wrap:anywhere] max-lg:hidden max-lg:in-data-open:grid",
    LABEL,
  );
}
