import { z } from "zod";
import { ApiError, invalidField } from "@/lib/kernel/errors";

export const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

/** A query parameter that may be repeated: one value counts as a list of one. */
export function repeatable<T extends z.ZodType>(item: T, max = 100) {
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(max),
  );
}

/**
 * The input of a list: `limit`, `cursor`, `search`, `sort` and the list's own filters.
 * @param fields what it can be sorted by; the first entry of `sorts` is the order without `sort`
 */
export function listInput<const F extends readonly [string, ...string[]], S extends z.ZodRawShape>(options: {
  sorts: F;
  filters: S;
}) {
  const sorts = options.sorts.flatMap((field) => {
    const name = field.replace(/^-/, "");
    return [name, `-${name}`];
  }) as [string, ...string[]];
  return z.strictObject({
    limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
    cursor: z.string().max(2_000).optional(),
    search: z.string().trim().max(200).optional(),
    sort: z.enum(sorts).default(options.sorts[0]),
    ...options.filters,
  });
}

/** The filter of a list that can be exported: `csv` returns all matching rows and ignores `limit` and `cursor`. */
export const csvFormat = { format: z.enum(["json", "csv"]).default("json") };

/** An instant, or a day in UTC of which `time` is meant. */
const instant = (time: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()])
    .transform((text) => new Date(text.includes("T") ? text : `${text}T${time}Z`))
    .refine(isStorableInstant, { error: "date", params: { code: "invalid_format" } });

/** The filters by time: at or after an instant or the beginning of a day, at or before one or a day's end. See `inPeriod`. */
export const periodFilters = {
  from: instant("00:00:00.000").optional(),
  to: instant("23:59:59.999").optional(),
};

type Period = z.output<z.ZodObject<typeof periodFilters>>;

/** An input with `periodFilters`. A period that ends before it begins is refused: it has nothing in it, which would look like an answer. */
export function inPeriod<S extends z.ZodType<Period>>(schema: S): S {
  return schema.refine(({ from, to }) => !from || !to || from <= to, { path: ["to"], error: "periodOrder" });
}

/** Filtered lists are counted up to this many rows, in an index. */
export const FILTERED_COUNT_CAP = 10_000;
/** Searches are counted up to this many rows, because each has to be read. */
export const SEARCH_COUNT_CAP = 1_000;

/** The output of a list. */
export function listOutput<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    total: z.number().int(),
    /** There only where counting ended before the rows did: there are `total` of them, and more. */
    totalIsAtLeast: z.literal(true).optional(),
  });
}

/** How many rows a list has over all its pages. */
export type ListTotal = { total: number; totalIsAtLeast?: true };

/**
 * The total of a narrowed list.
 * @param max FILTERED_COUNT_CAP or SEARCH_COUNT_CAP
 * @param count counts at most `take` rows
 */
export async function cappedCount(max: number, count: (take: number) => Promise<number>): Promise<ListTotal> {
  // One more than is told, to know whether there are more.
  const counted = await count(max + 1);
  return counted > max ? { total: max, totalIsAtLeast: true } : { total: counted };
}

// An invented cursor is refused here: a text that a column cannot hold never reaches the database.
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what PostgreSQL's text cannot hold
const STORABLE_TEXT = /^[^\u0000]*$/;
const cursorSchema = z.tuple([z.string(), z.string().regex(STORABLE_TEXT).nullable(), z.string()]);

/** The ids of most tables. */
const uuid: z.ZodType<string> = z.uuid();
/** The ids of rows that are numbered; as texts, for no number of JavaScript holds all of bigint. */
export const rowNumber: z.ZodType<string> = z.string().regex(/^\d{1,15}$/);

/** Where a page ends: the sort, the last row's value and its id, opaque to the caller. */
function encodeCursor(sort: string, value: unknown, id: string): string {
  const key = value instanceof Date ? value.toISOString() : typeof value === "number" ? String(value) : value;
  return btoa(encodeURIComponent(JSON.stringify([sort, key, id])));
}

function decodeCursor(sort: string, cursor: string, ids: z.ZodType<string>): { value: string | null; id: string } {
  try {
    const [of, value, id] = cursorSchema.parse(JSON.parse(decodeURIComponent(atob(cursor))));
    if (of === sort) return { value, id: ids.parse(id) };
  } catch {
    // Told below, like a cursor of another order.
  }
  throw invalidField("cursor", "cursor");
}

/** Whether PostgreSQL takes an instant as ISO 8601 writes it: there is no year 0, and none of five digits. */
export function isStorableInstant(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** The greatest integer of 4 bytes. */
const MAX_INTEGER = 2 ** 31 - 1;

/** A field that a list is sorted by, where it is not a non-null column of its row with an order of its own. */
interface SortField {
  /** The column of a related row, such as `["role", "name"]`. */
  path?: readonly [relation: string, column: string];
  /** The values of an enum in the order of the database, which Prisma cannot compare. */
  values?: readonly string[];
  /** Whether it is an integer of 4 bytes. */
  integer?: true;
  /** Null is less than every value. */
  nullable?: true;
}
export type SortFields = Readonly<Record<string, SortField>>;

/** The clauses of one page of a list for Prisma. */
interface KeysetPage {
  where: object;
  orderBy: object[];
  take: number;
}

/** The field that a list is sorted by. */
export function sortField({ sort }: { sort: string }): string {
  return sort.replace(/^-/, "");
}

/** Where a page begins, and in which order. */
interface PagePosition {
  field: string;
  descending: boolean;
  /** The last row of the page before; null on the first page. */
  after: { value: string | Date | null; id: string } | null;
}

/**
 * Reads the order and the cursor of a list's input.
 * @param dates the fields among the sorts that are instants
 * @param ids what the rows' ids look like
 * @param sorted how the field is read, if it is no plain column
 * @throws ApiError validation_failed if the cursor is not one of this list and order
 */
export function pagePosition(
  input: { sort: string; cursor?: string },
  dates: readonly string[] = ["createdAt", "deployDate"],
  ids = uuid,
  { nullable, values, integer }: SortField = {},
): PagePosition {
  const descending = input.sort.startsWith("-");
  const field = sortField(input);
  if (input.cursor === undefined) return { field, descending, after: null };
  const { value: raw, id } = decodeCursor(input.sort, input.cursor, ids);
  if (raw === null) {
    if (!nullable) throw invalidField("cursor", "cursor");
    return { field, descending, after: { value: null, id } };
  }
  if (values && !values.includes(raw)) throw invalidField("cursor", "cursor");
  if (integer && !(/^-?\d{1,10}$/.test(raw) && Math.abs(Number(raw)) <= MAX_INTEGER)) {
    throw invalidField("cursor", "cursor");
  }
  if (!dates.includes(field)) return { field, descending, after: { value: raw, id } };
  const value = new Date(raw);
  if (!z.iso.datetime().safeParse(raw).success || !isStorableInstant(value)) throw invalidField("cursor", "cursor");
  return { field, descending, after: { value, id } };
}

/**
 * The clauses of a page by key: rows after the cursor in the order of (field, id), one more than asked for.
 * @param dates as for `pagePosition`
 * @param fields how the sorts are read that are no plain columns
 * @throws ApiError as `pagePosition`
 */
export function pageClauses(
  input: { sort: string; cursor?: string; limit: number },
  dates?: readonly string[],
  fields: SortFields = {},
): KeysetPage {
  const special = fields[sortField(input)] ?? {};
  const { field, descending, after } = pagePosition(input, dates, uuid, special);
  const direction = descending ? "desc" : "asc";
  const of = (condition: unknown) =>
    special.path ? { [special.path[0]]: { [special.path[1]]: condition } } : { [field]: condition };
  const order = special.nullable ? { sort: direction, nulls: descending ? "last" : "first" } : direction;
  const orderBy = [of(order), { id: direction }];
  const take = input.limit + 1;
  if (after === null) return { where: {}, orderBy, take };
  const { id } = after;
  const value = special.integer ? Number(after.value) : after.value;
  const beyond = descending ? "lt" : "gt";
  const upTo = descending ? "lte" : "gte";
  const same = { ...of(value), id: { [beyond]: id } };
  if (special.values) {
    const index = special.values.indexOf(String(value));
    const rest = descending ? special.values.slice(0, index) : special.values.slice(index + 1);
    return { where: { OR: [of({ in: rest }), same] }, orderBy, take };
  }
  if (special.nullable) {
    if (value === null) return { where: descending ? same : { OR: [same, of({ not: null })] }, orderBy, take };
    const nulls = descending ? [of(null)] : [];
    return { where: { OR: [of({ [beyond]: value }), same, ...nulls] }, orderBy, take };
  }
  // The first condition is implied by the second; it is what lets the database start in the middle of the index.
  return { where: { AND: [of({ [upTo]: value }), { OR: [of({ [beyond]: value }), same] }] }, orderBy, take };
}

/** The cursor that leads on from a row. */
export function cursorAfter<R extends { id: string | number }>(sort: string, row: R, fields: SortFields = {}): string {
  const field = sortField({ sort });
  const columns = row as unknown as Record<string, unknown>;
  const path = fields[field]?.path;
  const value = path ? (columns[path[0]] as Record<string, unknown>)[path[1]] : columns[field];
  return encodeCursor(sort, value, String(row.id));
}

/** Cuts the one row too many off and says where the next page begins. */
export function toPage<R extends { id: string | number }>(
  rows: R[],
  input: { sort: string; limit: number },
  fields?: SortFields,
): { rows: R[]; nextCursor: string | null } {
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  if (rows.length <= input.limit || !last) return { rows: page, nextCursor: null };
  return { rows: page, nextCursor: cursorAfter(input.sort, last, fields) };
}

/** A text as LIKE takes it literally: `%` and `_` in it mean themselves. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** A search for text in columns, without regard to case. */
export function containsText(search: string | undefined, columns: readonly string[]): object {
  if (!search) return {};
  // Prisma hands the text to ILIKE as it is.
  const contains = likeText(search);
  return { OR: columns.map((column) => ({ [column]: { contains, mode: "insensitive" } })) };
}

/** Fails with `not_found` where there is nothing. */
export function orNotFound<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new ApiError("not_found");
  return value;
}
