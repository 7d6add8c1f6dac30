import "server-only";
import { NIL as WHOLE_BUILD } from "uuid";
import { type Sql, sql } from "@/lib/db/query";
import { LATEST_FIRST } from "@/lib/db/release-order";
import { DAY_MS } from "@/lib/kernel/time";

/** Which releases of an environment stay. A release stays if one of these keeps it; without a number, all stay. */
export interface RetentionRule {
  /** How many of the newest builds of each platform stay. */
  keepNewest: number | null;
  /** For how many days a release stays after its publication. */
  keepDays: number | null;
  /** Whether builds that a share link opens stay. */
  keepWithShareLink: boolean;
  /** Whether nothing may be left: otherwise the newest build and the latest release of each platform stay. */
  mayDeleteAll: boolean;
}

/**
 * Selects the releases `r` of an environment that do not stay.
 * @param at when
 * @param columns of `r`
 */
export function leavingReleases(environmentId: string, rule: RetentionRule, at: Date, columns: Sql): Sql {
  const { keepNewest, keepDays, keepWithShareLink, mayDeleteAll } = rule;
  if (keepNewest === null && keepDays === null) return sql`SELECT ${columns} FROM "Release" r WHERE false`;
  const before = keepDays === null ? null : new Date(at.getTime() - keepDays * DAY_MS);
  const newest = keepNewest ?? (mayDeleteAll ? 0 : 1);
  const platforms = sql`(
    SELECT DISTINCT "platformId" FROM "BuildCount"
    WHERE "environmentId" = ${environmentId}::uuid AND "platformId" <> ${WHOLE_BUILD}::uuid
  ) p`;
  return sql`
    SELECT ${columns} FROM "Release" r
    WHERE r."environmentId" = ${environmentId}::uuid AND NOT r."keep"
      AND (${before}::timestamptz IS NULL OR r."deployDate" < ${before}::timestamptz)
      AND (r."buildId", r."platformId") NOT IN (
        SELECT b."id", b."platformId" FROM ${platforms} CROSS JOIN LATERAL (
          SELECT b."id", b."platformId" FROM "Build" b
          WHERE b."environmentId" = ${environmentId}::uuid AND b."platformId" = p."platformId"
          ORDER BY b."deployDate" DESC, b."id" DESC LIMIT ${newest}::int
        ) b
      )
      AND (${mayDeleteAll}::boolean OR r."id" NOT IN (
        SELECT r."id" FROM ${platforms} CROSS JOIN LATERAL (
          SELECT r."id" FROM "Release" r
          WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = p."platformId" ORDER BY ${LATEST_FIRST} LIMIT 1
        ) r
      ))
      AND (NOT ${keepWithShareLink}::boolean OR r."buildId" NOT IN (
        SELECT linked."buildId" FROM "ShareLink" l JOIN "Release" linked ON linked."id" = l."releaseId"
        WHERE l."environmentId" = ${environmentId}::uuid AND l."deletedAt" IS NULL
          AND (l."expiresAt" IS NULL OR l."expiresAt" > ${at}::timestamptz)
          AND (l."maxInstalls" IS NULL OR l."installCount" < l."maxInstalls")
      ))`;
}
