import { NIL as EVERYBODY } from "uuid";
import type { z } from "zod";
import { likeText, pagePosition, rowNumber } from "@/lib/api/list";
import { join, raw, type Sql, sql } from "@/lib/db/query";
import type { getAuditLogsInput } from "../schema";

export type Filters = z.output<typeof getAuditLogsInput>;

const isEqual = (column: string, value: string | undefined) =>
  value === undefined ? [] : [sql`${raw(column)} = ${value}`];

/** The table and action filters of a list, as conditions on `r`. */
export function kinds({ table, action }: Filters): Sql[] {
  return [...isEqual(`r."table"`, table), ...isEqual(`r."action"`, action)];
}

/** That the name of a record's table contains the search, as a condition on `r`. */
export function isSearchedTable({ search }: Filters): Sql {
  return search ? sql`r."table" ILIKE ${`%${likeText(search)}%`}` : sql`true`;
}

/** The filters of a list by time. @param eventDate the column that an index is ordered by */
export function period({ from, to }: Filters, eventDate: Sql): Sql[] {
  return [...(from ? [sql`${eventDate} >= ${from}`] : []), ...(to ? [sql`${eventDate} <= ${to}`] : [])];
}

/** The other filters of a list, as conditions on `r`. */
export function narrowings(input: Filters): Sql[] {
  const { userId, recordId } = input;
  return [
    ...(userId ? [sql`r."userId" = ${userId}::uuid`] : []),
    ...isEqual(`r."recordId"`, recordId),
    ...period(input, sql`r."eventDate"`),
  ];
}

export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : join([...conditions], " AND ");

/** The columns that a list is ordered by. */
interface OrderColumns {
  eventDate: string;
  id: string;
}
const RECORD: OrderColumns = { eventDate: `r."eventDate"`, id: `r."id"` };
/** Those of a record's mention. */
export const MENTION: OrderColumns = { eventDate: `m."eventDate"`, id: `m."recordId"` };

/** The order of a list and the position of the page. */
export interface Position {
  order(columns?: OrderColumns): Sql;
  beyond(columns?: OrderColumns): Sql[];
}

export function position(input: Pick<Filters, "sort" | "cursor">): Position {
  const { descending, after } = pagePosition(input, ["eventDate"], rowNumber);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  return {
    order: ({ eventDate, id } = RECORD) => raw(`${eventDate} ${direction}, ${id} ${direction}`),
    beyond: ({ eventDate, id } = RECORD) =>
      after ? [sql`(${raw(eventDate)}, ${raw(id)}) ${raw(sign)} (${after.value}, ${after.id}::bigint)`] : [],
  };
}

/**
 * The maintained record counts that a list starts with: a row for each table and action, of one user or of all.
 * @param conditions on `r`, beside those of the list
 */
export function maintainedCounts(input: Filters, conditions: readonly Sql[] = []): Sql {
  const { userId } = input;
  const of = userId
    ? sql`r."userId" = ${userId}::uuid AND r."userId" <> ${EVERYBODY}::uuid`
    : sql`r."userId" = ${EVERYBODY}::uuid`;
  return sql`
    SELECT r."table", r."action", r."count" FROM "AuditCount" r WHERE ${all([of, ...kinds(input), ...conditions])}`;
}
