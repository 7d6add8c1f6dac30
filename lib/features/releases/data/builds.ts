import "server-only";
import type { z } from "zod";
import { cappedCount, cursorAfter, DEFAULT_LIMIT, FILTERED_COUNT_CAP, type ListTotal, likeText } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { countRows, empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { NEWEST_FIRST } from "@/lib/db/release-order";
import { type Build, FILES_OF_BUILD, type getBuildsInput, type Release } from "../schema";
import { isNarrowed, pageOrder, readChecked, SEARCHED_TEXT } from "./lists";
import { limitsOf, type ReadPlace } from "./read-places";
import { type LoadedVersions, REFERENCE_COLUMNS, type ReleaseRow, statesOf, versionsOfPage } from "./rows";

type BuildFilters = Omit<z.output<typeof getBuildsInput>, "environmentId" | "appId">;

/** The platform of the row of a whole build. */
const ALL_PLATFORMS = "00000000-0000-0000-0000-000000000000";

/** The row that a list reads of each build `b`: that of a platform, or that of the whole build. */
const rowOf = ({ platformId }: BuildFilters) => sql`b."platformId" = ${platformId ?? ALL_PLATFORMS}::uuid`;

/**
 * The rows of the builds of some places. A build that is not read whole is made of the releases that the caller reads: their number,
 * size and dates are those of these releases.
 */
function rowsOfBuilds(places: readonly ReadPlace[], platformId: string | undefined): Sql {
  const limited = places.filter(({ groupIds }) => groupIds);
  if (limited.length === 0) return raw('"Build"');
  const idsOf = (some: readonly ReadPlace[]) => some.map(({ id }) => id);
  const whole = idsOf(places.filter(({ groupIds }) => !groupIds));
  const read = [sql`r."environmentId" = ANY(${idsOf(limited)}::uuid[])`, ...limitsOf(limited)];
  const ofPlatform = platformId ? sql`AND r."platformId" = ${platformId}::uuid` : empty;
  return sql`(
    SELECT b."id", b."platformId", b."environmentId", b."version", b."deployDate", b."size", b."releases" FROM "Build" b
    WHERE b."environmentId" = ANY(${whole}::uuid[])
    UNION ALL
    SELECT r."buildId", ${platformId ?? ALL_PLATFORMS}::uuid, r."environmentId", min(r."version"), max(r."deployDate"),
      sum(r."size")::bigint, count(*)::int
    FROM "Release" r WHERE ${join(read, " AND ")} ${ofPlatform} GROUP BY r."buildId", r."environmentId"
  )`;
}

/** The filters of a list as conditions on `b`. A search finds the builds with a release that has the text. */
function conditions(input: BuildFilters, places: readonly ReadPlace[]): Sql[] {
  const { from, to, version, search } = input;
  return [
    rowOf(input),
    ...(version === undefined ? [] : [sql`b."version" = ${version}`]),
    ...(from ? [sql`b."deployDate" >= ${from}`] : []),
    ...(to ? [sql`b."deployDate" <= ${to}`] : []),
    ...(search
      ? [
          sql`EXISTS (SELECT 1 FROM "Release" r
            WHERE ${join([sql`r."buildId" = b."id"`, ...limitsOf(places), SEARCHED_TEXT(`%${likeText(search)}%`)], " AND ")})`,
        ]
      : []),
  ];
}

/** A build as its row has it, with the IDs of its latest releases. */
interface BuildRow {
  id: string;
  version: string;
  deployDate: string;
  /** Bytes. */
  size: number;
  releases: number;
  releaseIds: string[];
}

/** The releases of the builds of `builds` that a caller reads, the latest ones of each. */
const releasesOfBuilds = (places: readonly ReadPlace[]) => sql`
  SELECT r.* FROM builds b CROSS JOIN LATERAL (
    SELECT r."id", r."buildId", r."deployDate", ${REFERENCE_COLUMNS}, r.xmin::text AS "rowVersion" FROM "Release" r
    WHERE ${join([sql`r."buildId" = b."id"`, ...limitsOf(places)], " AND ")} ORDER BY ${NEWEST_FIRST} LIMIT ${raw(String(FILES_OF_BUILD))}
  ) r`;

/**
 * Selects one page of the builds of some places. It reads the first rows of each environment in index order and keeps the
 * first of those, so its cost does not depend on the number of builds or of earlier pages.
 */
function pageOf(places: readonly ReadPlace[], input: BuildFilters): { page: Sql; order: Sql } {
  const { order, beyond } = pageOrder("b", input);
  const wanted = [sql`b."environmentId" = e."id"`, ...conditions(input, places), ...(beyond ? [beyond] : [])];
  // The number of environments and the limit are part of the text: PostgreSQL reuses a generic plan only if its estimate
  // is good without them.
  const environments = join(places.map(({ id }) => sql`(${id}::uuid)`));
  const take = raw(String(input.limit + 1));
  const page = sql`
    SELECT b.* FROM (VALUES ${environments}) AS e("id") CROSS JOIN LATERAL (
      SELECT b."id", b."version", b."deployDate", b."size", b."releases" FROM ${rowsOfBuilds(places, input.platformId)} b
      WHERE ${join(wanted, " AND ")} ORDER BY ${order} LIMIT ${take}
    ) b ORDER BY ${order} LIMIT ${take}`;
  return { page, order };
}

/** The number of builds in some environments, of one platform or of all. Triggers maintain these numbers. */
const maintainedCount = (places: readonly ReadPlace[], { platformId }: BuildFilters) => sql`
  (SELECT coalesce(sum("change"), 0)::float8 FROM "BuildCount"
   WHERE "environmentId" = ANY(${places.map(({ id }) => id)}::uuid[]) AND "platformId" = ${platformId ?? ALL_PLATFORMS}::uuid)`;

/** A search is counted up to this many builds. */
const BUILD_SEARCH_COUNT_CAP = 500;

/** How many releases are read for each build to be counted. The last number is for builds with many files. */
const RELEASES_PER_BUILD = [2, 8];

/**
 * Counts the builds of the releases that a search finds, up to so many. Releases of one time are close to each other in the table, while the
 * releases of a build are looked up in an index of random IDs: where many are found, this reads a fraction of the blocks.
 * @returns null if the releases that are read do not tell
 */
async function countByReleases(
  db: Db,
  places: readonly ReadPlace[],
  { search, platformId, version }: BuildFilters,
  take: number,
): Promise<number | null> {
  const wanted = [
    sql`r."environmentId" = ANY(${places.map(({ id }) => id)}::uuid[])`,
    ...limitsOf(places),
    ...(platformId ? [sql`r."platformId" = ${platformId}::uuid`] : []),
    ...(version === undefined ? [] : [sql`r."version" = ${version}`]),
    SEARCHED_TEXT(`%${likeText(search as string)}%`),
  ];
  for (const perBuild of RELEASES_PER_BUILD) {
    const limit = take * perBuild;
    const [row] = await queryRows<{ releases: number; builds: number }>(
      db,
      sql`SELECT count(*)::int AS "releases", count(DISTINCT found."buildId")::int AS "builds"
        FROM (SELECT r."buildId" FROM "Release" r WHERE ${join(wanted, " AND ")} LIMIT ${limit}) found`,
    );
    const { releases, builds } = row as NonNullable<typeof row>;
    if (builds >= take) return take;
    // All were read. A build of the platform may have the text in a release of another platform.
    if (releases < limit) return platformId ? null : builds;
  }
  return null;
}

/** The number of builds that match a list's filters, counted up to a cap. */
function countBuilds(db: Db, places: readonly ReadPlace[], input: BuildFilters): Promise<ListTotal> {
  const ids = places.map(({ id }) => id);
  const wanted = [sql`b."environmentId" = ANY(${ids}::uuid[])`, ...conditions(input, places)];
  return cappedCount(input.search ? BUILD_SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, async (take) => {
    // The time of a build is that of its last release, so a period is a matter of builds.
    const known = input.search && !input.from && !input.to ? await countByReleases(db, places, input, take) : null;
    if (known !== null) return known;
    return countRows(
      db,
      sql`SELECT 1 FROM ${rowsOfBuilds(places, input.platformId)} b WHERE ${join(wanted, " AND ")}`,
      take,
    );
  });
}

/** Reads builds and their releases. Releases that were read before come from the cache. Null if one was deleted during the read. */
async function readBuilds(
  db: Db,
  rows: readonly BuildRow[],
  versions: LoadedVersions,
): Promise<{ builds: Build[]; read: ReleaseRow[] } | null> {
  const listed = new Set(rows.flatMap(({ releaseIds }) => releaseIds));
  const { releases, read } = await readChecked(
    db,
    statesOf(versions).filter(({ id }) => listed.has(id)),
  );
  const byId = new Map(releases.map((release) => [release.id, release]));
  if (byId.size < listed.size) return null;
  return { builds: rows.map((row) => toBuild(row, byId)), read };
}

function toBuild(
  { id, version, size, releases: releaseCount, releaseIds }: BuildRow,
  byId: Map<string, Release>,
): Build {
  const releases = releaseIds.map((releaseId) => byId.get(releaseId) as Release);
  const [last] = releases as [Release];
  return {
    key: id,
    version,
    buildNumber: last.buildNumber,
    app: last.app,
    environment: last.environment,
    deployDate: last.deployDate,
    description: last.description,
    descriptionSummary: last.descriptionSummary,
    releases: inOrderOfDevices(releases),
    releaseCount,
    size,
    downloads: releases.reduce((sum, { downloads }) => sum + downloads, 0),
  };
}

/** By platform, a device's installer before a bundle, the last publication first. */
function inOrderOfDevices(releases: readonly Release[]): Release[] {
  const place = ({ platform, installer }: Release) => `${platform.name}\u0000${installer.kind === "aab" ? 1 : 0}`;
  return releases.toSorted((a, b) => place(a).localeCompare(place(b)));
}

const BUILD_ROWS = (order: Sql) => sql`(SELECT json_agg(json_build_object(
    'id', b."id", 'version', b."version", 'deployDate', b."deployDate", 'size', b."size", 'releases', b."releases",
    'releaseIds', (SELECT json_agg(r."id" ORDER BY ${NEWEST_FIRST}) FROM page r WHERE r."buildId" = b."id")
  ) ORDER BY ${order}) FROM builds b)`;

/** One page of the builds of some places. */
export async function listBuilds(
  db: Db,
  places: readonly ReadPlace[],
  input: BuildFilters,
): Promise<{ items: Build[]; nextCursor: string | null; read: ReleaseRow[] } & ListTotal> {
  if (places.length === 0) return { items: [], nextCursor: null, read: [], total: 0 };
  const { page, order } = pageOf(places, input);
  const narrowed = isNarrowed(input, places);
  const [[loaded], counted] = await Promise.all([
    queryRows<{ total: number | null; builds: BuildRow[] | null; versions: LoadedVersions }>(
      db,
      sql`
        WITH builds AS MATERIALIZED (${page}), page AS MATERIALIZED (${releasesOfBuilds(places)})
        SELECT ${narrowed ? sql`NULL` : maintainedCount(places, input)} AS "total",
          ${BUILD_ROWS(order)} AS "builds", ${versionsOfPage(NEWEST_FIRST)} AS "versions"`,
      { prepared: !narrowed && input.limit === DEFAULT_LIMIT },
    ),
    narrowed ? countBuilds(db, places, input) : null,
  ]);
  const { total, builds, versions } = loaded as NonNullable<typeof loaded>;
  const wanted = (builds ?? []).slice(0, input.limit);
  const found = await readBuilds(db, wanted, versions);
  if (!found) return listBuilds(db, places, input);
  const last = wanted.at(-1);
  const hasMore = (builds?.length ?? 0) > wanted.length;
  const nextCursor =
    hasMore && last ? cursorAfter(input.sort, { ...last, deployDate: new Date(last.deployDate) }) : null;
  return { items: found.builds, nextCursor, read: found.read, ...(counted ?? { total: total ?? 0 }) };
}

/** A build before or after another one. */
export type Neighbour = Pick<Build, "version" | "buildNumber"> & { id: string };

/**
 * The build of a release with the ones that were published before and after it in the environment; null if it was deleted.
 * @param place the environment, as far as the caller reads it
 */
export async function findBuild(
  db: Db,
  { buildId, environmentId }: Pick<ReleaseRow, "buildId" | "environmentId">,
  place: ReadPlace,
): Promise<{ build: Build; previous: Neighbour | null; next: Neighbour | null } | null> {
  const rows = rowsOfBuilds([place], undefined);
  const neighbour = (sign: "<" | ">") => {
    const direction = raw(sign === "<" ? "DESC" : "ASC");
    return sql`(
      SELECT json_build_object('id', r."id", 'version', r."version", 'buildNumber', r."buildNumber") FROM (
        SELECT b."id" FROM builds own JOIN ${rows} b ON b."environmentId" = ${environmentId}::uuid
          AND b."platformId" = ${ALL_PLATFORMS}::uuid AND (b."deployDate", b."id") ${raw(sign)} (own."deployDate", own."id")
        ORDER BY b."deployDate" ${direction}, b."id" ${direction} LIMIT 1
      ) b CROSS JOIN LATERAL (
        SELECT r."id", r."version", r."buildNumber" FROM "Release" r
        WHERE ${join([sql`r."buildId" = b."id"`, ...limitsOf([place])], " AND ")}
        ORDER BY ${NEWEST_FIRST} LIMIT 1
      ) r)`;
  };
  const [loaded] = await queryRows<{
    builds: BuildRow[] | null;
    versions: LoadedVersions;
    previous: Neighbour | null;
    next: Neighbour | null;
  }>(
    db,
    sql`
      WITH builds AS MATERIALIZED (
        SELECT b.* FROM ${rows} b WHERE b."id" = ${buildId}::uuid AND b."platformId" = ${ALL_PLATFORMS}::uuid
      ), page AS MATERIALIZED (${releasesOfBuilds([place])})
      SELECT ${BUILD_ROWS(sql`b."id"`)} AS "builds", ${versionsOfPage(NEWEST_FIRST)} AS "versions",
        ${neighbour("<")} AS "previous", ${neighbour(">")} AS "next"`,
    { prepared: true },
  );
  const { builds, versions, previous, next } = loaded as NonNullable<typeof loaded>;
  if (!builds) return null;
  const found = await readBuilds(db, builds, versions);
  const [build] = found?.builds ?? [];
  return build ? { build, previous, next } : findBuild(db, { buildId, environmentId }, place);
}
