import "server-only";
import type { z } from "zod";
import {
  cappedCount,
  cursorAfter,
  DEFAULT_LIMIT,
  FILTERED_COUNT_CAP,
  type ListTotal,
  likeText,
  pagePosition,
  SEARCH_COUNT_CAP,
  toPage,
} from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { countRows, empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { NEWEST_FIRST } from "@/lib/db/release-order";
import { invalidField } from "@/lib/kernel/errors";
import { keepRelease, keptRelease } from "../internal/kept-releases";
import type { getTestingDeploysInput, Release } from "../schema";
import { toRelease } from "./answers";
import { limitsOf, type ReadPlace } from "./read-places";
import {
  type LoadedVersions,
  REFERENCE_COLUMNS,
  type ReleaseRow,
  type ReleaseState,
  readReleases,
  statesOf,
  versionsOfPage,
} from "./rows";

export type ReleaseFilters = Omit<z.output<typeof getTestingDeploysInput>, "environmentId">;

/** That `r` has a text of the pattern `like`. */
export const SEARCHED_TEXT = (like: string) => sql`(r."version" ILIKE ${like} OR r."buildNumber" ILIKE ${like}
  OR r."displayName" ILIKE ${like} OR r."description" ILIKE ${like} OR r."fileName" ILIKE ${like})`;

/** The filters of a list as conditions on `r`. */
function conditions({ platformId, from, to, version, search }: ReleaseFilters): Sql[] {
  return [
    ...(platformId ? [sql`r."platformId" = ${platformId}::uuid`] : []),
    ...(version === undefined ? [] : [sql`r."version" = ${version}`]),
    ...(from ? [sql`r."deployDate" >= ${from}`] : []),
    ...(to ? [sql`r."deployDate" <= ${to}`] : []),
    ...(search ? [SEARCHED_TEXT(`%${likeText(search)}%`)] : []),
  ];
}

type CursorValue = string | Date | null;

/** A size in a cursor, in bytes. */
const SIZE = /^\d{1,15}$/;

/** What releases and builds are ordered by, each with an index of the environment, and the value of a cursor as such a key. */
const SORT_KEYS = {
  deployDate: { key: (row: Sql) => sql`${row}."deployDate"`, toKey: (value: CursorValue) => sql`${value}` },
  version: {
    key: (row: Sql) => sql`version_order(${row}."version")`,
    toKey: (value: CursorValue) => sql`version_order(${value}::text)`,
  },
  size: {
    key: (row: Sql) => sql`${row}."size"`,
    toKey: (value: CursorValue) => {
      if (!SIZE.test(String(value))) throw invalidField("cursor", "cursor");
      return sql`${value}::bigint`;
    },
  },
};

/**
 * The order of a list of releases or builds, and the condition that a row is on a later page; null on the first page.
 * @param alias of the rows, such as `r`
 */
export function pageOrder(
  alias: string,
  input: Pick<ReleaseFilters, "sort" | "cursor">,
): { order: Sql; beyond: Sql | null } {
  const { field, descending, after } = pagePosition(input);
  const { key: keyOf, toKey } = SORT_KEYS[field as keyof typeof SORT_KEYS];
  const row = raw(alias);
  const key = keyOf(row);
  const direction = raw(descending ? "DESC" : "ASC");
  const beyond =
    after && sql`(${key}, ${row}."id") ${raw(descending ? "<" : ">")} (${toKey(after.value)}, ${after.id}::uuid)`;
  return { order: sql`${key} ${direction}, ${row}."id" ${direction}`, beyond };
}

/**
 * Selects one page of the releases of some places. It reads the first rows of each environment in index order and keeps the
 * first of those, so its cost does not depend on the number of releases or of earlier pages.
 * @param places at least one
 * @param columns of `r`
 */
function pageOf(places: readonly ReadPlace[], input: ReleaseFilters, columns: Sql): { page: Sql; order: Sql } {
  const { order, beyond } = pageOrder("r", input);
  const wanted = [
    sql`r."environmentId" = e."id"`,
    ...limitsOf(places),
    ...conditions(input),
    ...(beyond ? [beyond] : []),
  ];
  // The number of environments and the limit are part of the text: PostgreSQL reuses a generic plan only if its estimate
  // is good without them.
  const environments = join(places.map(({ id }) => sql`(${id}::uuid)`));
  const take = raw(String(input.limit + 1));
  const page = sql`
    SELECT r.* FROM (VALUES ${environments}) AS e("id") CROSS JOIN LATERAL (
      SELECT ${columns} FROM "Release" r WHERE ${join(wanted, " AND ")} ORDER BY ${order} LIMIT ${take}
    ) r ORDER BY ${order} LIMIT ${take}`;
  return { page, order };
}

/** The total of a list without filters, and whether its page is worth a prepared statement. */
function totalOf(places: readonly ReadPlace[], input: ReleaseFilters): { scalar: Sql; prepared: boolean } {
  const narrowed = isNarrowed(input, places);
  return {
    scalar: narrowed ? sql`NULL` : maintainedCount(places, input),
    prepared: !narrowed && input.limit === DEFAULT_LIMIT,
  };
}

/** What the releases of one page are made of; see `pageOf`. */
async function readStates(
  db: Db,
  places: readonly ReadPlace[],
  input: ReleaseFilters,
): Promise<{ states: ReleaseState[]; total: number | null }> {
  const { page, order } = pageOf(
    places,
    input,
    sql`r."id", r."deployDate", r."version", r."size", ${REFERENCE_COLUMNS}, r.xmin::text AS "rowVersion"`,
  );
  const { scalar, prepared } = totalOf(places, input);
  const [loaded] = await queryRows<{ total: number | null; versions: LoadedVersions }>(
    db,
    sql`WITH page AS MATERIALIZED (${page}) SELECT ${scalar} AS "total", ${versionsOfPage(order)} AS "versions"`,
    { prepared },
  );
  const { total, versions } = loaded as NonNullable<typeof loaded>;
  return { states: statesOf(versions), total };
}

/**
 * The releases with some states, checked for an answer. Those that were answered before and are still the same are not read again.
 * @returns without those that were deleted since, and the rows that were read
 */
export async function readChecked(
  db: Db,
  states: readonly ReleaseState[],
): Promise<{ releases: Release[]; read: ReleaseRow[] }> {
  const found = new Map(states.map(({ id, state }) => [id, keptRelease(id, state)]));
  const missing = states.filter(({ id }) => found.get(id) === undefined).map(({ id }) => id);
  if (missing.length === 0) return { releases: [...found.values()] as Release[], read: [] };
  const { rows, scalar } = await readReleases<LoadedVersions>(
    db,
    sql`SELECT r.*, r.xmin::text AS "rowVersion" FROM "Release" r WHERE r."id" = ANY(${missing}::uuid[])`,
    { scalar: versionsOfPage(NEWEST_FIRST), prepared: true },
  );
  const current = new Map(statesOf(scalar as LoadedVersions).map(({ id, state }) => [id, state]));
  for (const row of rows) found.set(row.id, keepRelease(current.get(row.id) as string, toRelease(row)));
  return { releases: [...found.values()].filter((release) => release !== undefined), read: rows };
}

/** Whether a list has a filter other than the platform, or a place that is not read whole. */
export function isNarrowed(
  { version, from, to, search }: Pick<ReleaseFilters, "version" | "from" | "to" | "search">,
  places: readonly ReadPlace[],
): boolean {
  return version !== undefined || Boolean(from || to || search) || places.some(({ groupIds }) => groupIds);
}

/** The number of releases in some environments, of one platform or of all. Triggers maintain these numbers. */
function maintainedCount(places: readonly ReadPlace[], { platformId }: ReleaseFilters): Sql {
  const ofPlatform = platformId ? sql`AND "platformId" = ${platformId}::uuid` : empty;
  return sql`(SELECT coalesce(sum("change"), 0)::float8 FROM "ReleaseCount"
    WHERE "environmentId" = ANY(${places.map(({ id }) => id)}::uuid[]) ${ofPlatform})`;
}

/** The number of releases that match a list's filters, counted up to a cap. */
function countReleases(db: Db, places: readonly ReadPlace[], input: ReleaseFilters): Promise<ListTotal> {
  const ids = places.map(({ id }) => id);
  const wanted = [sql`r."environmentId" = ANY(${ids}::uuid[])`, ...limitsOf(places), ...conditions(input)];
  return cappedCount(input.search ? SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, (take) =>
    countRows(db, sql`SELECT 1 FROM "Release" r WHERE ${join(wanted, " AND ")}`, take),
  );
}

/** One page of the releases of some places, for an export: without the total, and without keeping them. */
export async function exportReleases(db: Db, places: readonly ReadPlace[], input: ReleaseFilters) {
  if (places.length === 0) return { items: [], nextCursor: null };
  const { page, order } = pageOf(places, input, sql`r.*`);
  const { rows } = await readReleases(db, page, { order });
  const { rows: wanted, nextCursor } = toPage(rows, input);
  return { items: wanted.map(toRelease), nextCursor };
}

/** One page of the releases of some places, as answers show them. */
export async function listReleases(
  db: Db,
  places: readonly ReadPlace[],
  input: ReleaseFilters,
): Promise<{ items: Release[]; nextCursor: string | null; read: ReleaseRow[] } & ListTotal> {
  if (places.length === 0) return { items: [], nextCursor: null, read: [], total: 0 };
  const [{ states, total }, counted] = await Promise.all([
    readStates(db, places, input),
    isNarrowed(input, places) ? countReleases(db, places, input) : null,
  ]);
  const wanted = states.slice(0, input.limit);
  const { releases: items, read } = await readChecked(db, wanted);
  // A release was deleted between the two statements.
  if (items.length < wanted.length) return listReleases(db, places, input);
  const last = items.at(-1);
  const nextCursor = states.length > wanted.length && last ? cursorAfter(input.sort, last) : null;
  return { items, nextCursor, read, ...(counted ?? { total: total ?? 0 }) };
}
