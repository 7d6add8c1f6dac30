import "server-only";
import type { Db } from "@/lib/db/client";
import { empty, join, raw, type Sql, sql } from "@/lib/db/query";
import { INSTALLS_ON_DEVICES, LATEST_FIRST, NEWEST_FIRST } from "@/lib/db/release-order";
import type { Release } from "../schema";
import { toRelease } from "./answers";
import { limitsOf, type ReadEnvironment, type ReadPlace } from "./read-places";
import { type ReleaseRow, readReleases } from "./rows";

/** What an app is told of the releases of its platform. */
interface LatestRelease {
  /** The latest one, by `LATEST_FIRST`; null where there is none. */
  release: ReleaseRow | null;
  /** Whether that one is newer than what the caller has. */
  isNewer: boolean;
  /** Whether a newer one is mandatory. */
  isMandatory: boolean;
  /** Whether an active platform was named. */
  isPlatformKnown: boolean;
}

/**
 * The latest release of an environment for a platform, and whether an app must be updated to it.
 * @param platform the ID, name or kind of active platforms, in any case
 * @param installed what the caller has; without a version, every release is newer
 */
export async function latestRelease(
  db: Db,
  environmentId: string,
  platform: string,
  installed: { version?: string; buildNumber?: string },
): Promise<LatestRelease> {
  const { version, buildNumber } = installed;
  const named = sql`p."status" = 'active'
    AND (p."kind"::text = lower(${platform}) OR lower(p."name") = lower(${platform}) OR p."id"::text = lower(${platform}))`;
  const isNewer =
    version === undefined
      ? sql`true`
      : buildNumber === undefined
        ? sql`version_order(r."version") > version_order(${version})`
        : sql`(version_order(r."version"), version_order(r."buildNumber"))
            > (version_order(${version}), version_order(${buildNumber}))`;
  const found = await readReleases<Pick<LatestRelease, "isNewer" | "isMandatory" | "isPlatformKnown">>(
    db,
    sql`
      SELECT r.* FROM "Platform" p CROSS JOIN LATERAL (
        SELECT r.* FROM "Release" r WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = p."id"
        ORDER BY ${LATEST_FIRST} LIMIT 1
      ) r WHERE ${named} ORDER BY ${LATEST_FIRST} LIMIT 1`,
    {
      prepared: true,
      scalar: sql`json_build_object(
        'isPlatformKnown', EXISTS (SELECT 1 FROM "Platform" p WHERE ${named}),
        'isNewer', EXISTS (SELECT 1 FROM page r WHERE ${isNewer}),
        'isMandatory', EXISTS (
          SELECT 1 FROM "Release" r
          WHERE r."mandatory" AND r."environmentId" = ${environmentId}::uuid
            AND r."platformId" = ANY (ARRAY(SELECT p."id" FROM "Platform" p WHERE ${named})) AND ${isNewer}
        ))`,
    },
  );
  const { isNewer: newer = false, isMandatory = false, isPlatformKnown = false } = found.scalar ?? {};
  return { release: found.rows[0] ?? null, isNewer: newer, isMandatory, isPlatformKnown };
}

/**
 * The latest release of each platform in some environments, by the platform's name. Each one is the first entry of an index, so the
 * number of releases does not matter.
 */
export async function latestReleasesByPlatform(db: Db, places: readonly ReadEnvironment[]): Promise<ReleaseRow[]> {
  if (places.length === 0) return [];
  const wanted = [sql`r."environmentId" = e."id"`, sql`r."platformId" = p."id"`, ...limitsOf(places)];
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM unnest(${places.map(({ id }) => id)}::uuid[]) AS e("id") CROSS JOIN "Platform" p CROSS JOIN LATERAL (
        SELECT r.* FROM "Release" r WHERE ${join(wanted, " AND ")} ORDER BY ${LATEST_FIRST} LIMIT 1
      ) r`,
    { prepared: true },
  );
  return rows.toSorted((a, b) => a.platform.name.localeCompare(b.platform.name));
}

/** The first release of each of some apps in an order that has an index for each platform of an environment. */
async function firstReleasesByApp(db: Db, environments: readonly ReadPlace[], order: Sql): Promise<ReleaseRow[]> {
  if (environments.length === 0) return [];
  const wanted = [sql`r."environmentId" = e."id"`, sql`r."platformId" = p."id"`, ...limitsOf(environments)];
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM (
        SELECT DISTINCT ON (e."appId") r."id"
        FROM unnest(${environments.map(({ id }) => id)}::uuid[], ${environments.map(({ appId }) => appId)}::uuid[])
          AS e("id", "appId")
        CROSS JOIN "Platform" p CROSS JOIN LATERAL (
          SELECT r."id", r."installer", r."version", r."buildNumber", r."deployDate" FROM "Release" r
          WHERE ${join(wanted, " AND ")} ORDER BY ${order} LIMIT 1
        ) r
        ORDER BY e."appId", ${order}
      ) first JOIN "Release" r ON r."id" = first."id"`,
    { prepared: true },
  );
  return rows;
}

/**
 * The latest release of each of some apps, in no particular order.
 *
 * @param environments the environments to look in
 */
export function latestReleasesByApp(db: Db, environments: readonly ReadPlace[]): Promise<ReleaseRow[]> {
  return firstReleasesByApp(db, environments, LATEST_FIRST);
}

/**
 * The release of each of some apps that was published last, in no particular order.
 *
 * @param environments the environments to look in
 */
export function newestReleasesByApp(db: Db, environments: readonly ReadPlace[]): Promise<ReleaseRow[]> {
  return firstReleasesByApp(db, environments, NEWEST_FIRST);
}

/**
 * The newest releases of all apps or of some. They are in the environments with the
 * latest releases, so the number of releases does not matter. An index on the date alone would: PostgreSQL would use it for
 * the newest release of one environment, and read those of all others first.
 */
export async function readNewestReleases(
  db: Db,
  count: number,
  { appId, platformId, since }: { appId?: string; platformId?: string; since?: Date } = {},
): Promise<Release[]> {
  const take = raw(String(count));
  const ofApp = appId ? sql`WHERE e."appId" = ${appId}::uuid` : empty;
  const wanted = join(
    [
      sql`r."environmentId" = e."id"`,
      ...(platformId ? [sql`r."platformId" = ${platformId}::uuid`] : []),
      ...(since ? [sql`r."deployDate" >= ${since}`] : []),
    ],
    " AND ",
  );
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM (
        SELECT e."id" FROM "Environment" e CROSS JOIN LATERAL (
          SELECT r."deployDate", r."id" FROM "Release" r WHERE ${wanted} ORDER BY ${NEWEST_FIRST} LIMIT 1
        ) r ${ofApp} ORDER BY ${NEWEST_FIRST} LIMIT ${take}
      ) e CROSS JOIN LATERAL (
        SELECT r.* FROM "Release" r WHERE ${wanted} ORDER BY ${NEWEST_FIRST} LIMIT ${take}
      ) r ORDER BY ${NEWEST_FIRST} LIMIT ${take}`,
    { prepared: true },
  );
  return rows.map(toRelease);
}

/**
 * The latest installers of each platform of some apps, and the latest app bundle of each platform, latest first. They are the first
 * entries of an index, so the number of releases does not matter.
 *
 * @param environments the environments to look in
 * @param take how many installers of each platform of an app
 */
export async function latestInstallersByApp(
  db: Db,
  environments: readonly ReadPlace[],
  take: number,
): Promise<ReleaseRow[]> {
  if (environments.length === 0) return [];
  const wanted = [sql`r."environmentId" = e."id"`, sql`r."platformId" = p."id"`, ...limitsOf(environments)];
  const latest = (installs: boolean, limit: number) => sql`
    (SELECT r."id", r."installer", r."version", r."buildNumber", r."deployDate" FROM "Release" r
     WHERE ${join(wanted, " AND ")} AND ${INSTALLS_ON_DEVICES} = ${raw(String(installs))}
     ORDER BY ${LATEST_FIRST} LIMIT ${raw(String(limit))})`;
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM (
        SELECT r."id", ${INSTALLS_ON_DEVICES} AS "installs",
          row_number() OVER (PARTITION BY e."appId", p."id", ${INSTALLS_ON_DEVICES} ORDER BY ${LATEST_FIRST}) AS "place"
        FROM unnest(${environments.map(({ id }) => id)}::uuid[], ${environments.map(({ appId }) => appId)}::uuid[])
          AS e("id", "appId")
        CROSS JOIN "Platform" p CROSS JOIN LATERAL (${latest(true, take)} UNION ALL ${latest(false, 1)}) r
      ) placed JOIN "Release" r ON r."id" = placed."id"
      WHERE placed."place" <= CASE WHEN placed."installs" THEN ${raw(String(take))} ELSE 1 END`,
    { prepared: true, order: LATEST_FIRST },
  );
  return rows;
}
