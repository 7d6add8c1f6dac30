import "server-only";
import type { Db } from "@/lib/db/client";
import { type JsonRow, join, queryRows, raw, sql } from "@/lib/db/query";
import { limitsOf, type ReadPlace } from "./read-places";

/** Distinct versions are counted up to this many, summed over the environments. */
const VERSION_COUNT_CAP = 1_000;
/** If there are more versions than are counted, those of this many latest releases of each environment are listed too. */
const LATEST_RELEASES = 500;

/** A distinct version with the time of its latest release. */
export interface VersionRow {
  version: string;
  lastReleaseAt: Date;
}

/** The distinct versions of the releases of places that are not all read whole, the last published first. */
async function listLimitedVersions(
  db: Db,
  places: readonly ReadPlace[],
  { search = "", limit }: { search?: string; limit: number },
): Promise<{ rows: VersionRow[]; capped: boolean; total: number }> {
  const ids = places.map(({ id }) => id);
  const wanted = [
    sql`r."environmentId" = ANY(${ids}::uuid[])`,
    sql`starts_with(r."version", ${search}::text)`,
    ...limitsOf(places),
  ];
  const rows = await queryRows<VersionRow & { total: number }>(
    db,
    sql`
      SELECT r."version", max(r."deployDate") AS "lastReleaseAt", count(*) OVER ()::int AS "total" FROM "Release" r
      WHERE ${join(wanted, " AND ")} GROUP BY r."version" ORDER BY 2 DESC, 1 LIMIT ${limit}`,
  );
  return { rows, capped: false, total: rows[0]?.total ?? 0 };
}

/**
 * The distinct versions of the releases of some places, the last published first.
 *
 * A loose index scan on (environmentId, version, deployDate, id) finds each version and its latest release in one step,
 * so the number of releases does not matter. It stops after `VERSION_COUNT_CAP` versions; the latest releases then
 * ensure that the latest versions are among the rows.
 *
 * @param input.search the beginning of the version
 */
export async function listVersions(
  db: Db,
  places: readonly ReadPlace[],
  { search = "", limit }: { search?: string; limit: number },
): Promise<{ rows: VersionRow[]; capped: boolean; total: number }> {
  if (limitsOf(places).length > 0) return listLimitedVersions(db, places, { search, limit });
  const environmentIds = places.map(({ id }) => id);
  const [found] = await queryRows<{ rows: JsonRow<VersionRow>[] | null; capped: boolean; total: number }>(
    db,
    // Strings with the same beginning are adjacent in a linguistic collation only if case is ignored.
    sql`
      WITH RECURSIVE environments AS (SELECT unnest(${environmentIds}::uuid[]) AS "id"),
      scan AS (
        SELECT r.* FROM environments e CROSS JOIN LATERAL (
          SELECT "environmentId", "version", "deployDate" FROM "Release"
          WHERE "environmentId" = e."id" AND "version" >= ${search}
          ORDER BY "version", "deployDate" DESC, "id" DESC LIMIT 1
        ) r
        UNION ALL
        SELECT r.* FROM scan s CROSS JOIN LATERAL (
          SELECT "environmentId", "version", "deployDate" FROM "Release"
          WHERE "environmentId" = s."environmentId" AND "version" > s."version"
          ORDER BY "version", "deployDate" DESC, "id" DESC LIMIT 1
        ) r
        WHERE lower(left(s."version", length(${search}::text))) <= lower(${search}::text)
      ),
      scanned AS MATERIALIZED (SELECT "version", "deployDate" FROM scan LIMIT ${raw(String(VERSION_COUNT_CAP + 1))}),
      latest AS (
        SELECT r.* FROM environments e CROSS JOIN LATERAL (
          SELECT "version", "deployDate" FROM "Release"
          WHERE "environmentId" = e."id" ORDER BY "deployDate" DESC, "id" DESC LIMIT ${raw(String(LATEST_RELEASES))}
        ) r
        WHERE (SELECT count(*) FROM scanned) > ${raw(String(VERSION_COUNT_CAP))}
      ),
      versions AS MATERIALIZED (
        SELECT "version", max("deployDate") AS "lastReleaseAt"
        FROM (SELECT * FROM scanned UNION ALL SELECT * FROM latest) found
        WHERE starts_with("version", ${search}::text) GROUP BY "version"
      )
      SELECT
        (SELECT json_agg(v ORDER BY v."lastReleaseAt" DESC, v."version") FROM (
          SELECT * FROM versions ORDER BY "lastReleaseAt" DESC, "version" LIMIT ${limit}
        ) v) AS "rows",
        (SELECT count(*)::int FROM versions) AS "total",
        (SELECT count(*) FROM scanned) > ${raw(String(VERSION_COUNT_CAP))} AS "capped"`,
    { prepared: true },
  );
  const { rows, capped, total } = found as NonNullable<typeof found>;
  const dated = (rows ?? []).map(({ version, lastReleaseAt }) => ({ version, lastReleaseAt: new Date(lastReleaseAt) }));
  return { rows: dated, capped, total };
}
