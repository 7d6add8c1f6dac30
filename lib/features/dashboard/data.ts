import "server-only";
import { NIL as ALL_ENVIRONMENTS } from "uuid";
import type { AuditFault } from "@/lib/audit/chain";
import { KNOWN_FAULTS } from "@/lib/audit/verification-state";
import type { Db } from "@/lib/db/client";
import { type JsonRow, queryRows, sql } from "@/lib/db/query";
import { LATEST_FIRST } from "@/lib/db/release-order";
import { type AppRow, toApps } from "@/lib/features/apps/data";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import { activityDays, type CountedActivity, lastDays, openedSystems } from "./rules";
import { type Activity, type Dashboard, type DashboardApp, type OpenedSystem, RECENT_DAYS } from "./schema";

/** Number of rows that are shown. */
const SHOWN_APPS = 6;

/**
 * What happened in some environments on the last days, today included. Triggers maintain these numbers from the releases and the
 * visits (`lib/visits`), so the number of both does not matter.
 *
 * @param environmentIds null for all
 */
export async function readActivity(
  db: Db,
  environmentIds: readonly string[] | null,
  { days, now }: { days: number; now: Date },
): Promise<Activity> {
  const names = lastDays(days, now);
  const within = sql`"environmentId" = ANY(${environmentIds ?? [ALL_ENVIRONMENTS]}::uuid[])
    AND "day" BETWEEN ${names[0]}::date AND ${names.at(-1)}::date`;
  const [row] = await queryRows<{ counted: CountedActivity[] | null; systems: OpenedSystem[] | null }>(
    db,
    sql`
      SELECT
        (SELECT json_agg(c) FROM (
           SELECT "day"::text AS "day", "kind"::text AS "kind", sum("change")::float8 AS "count" FROM "DailyActivity"
           WHERE ${within} GROUP BY 1, 2
         ) c) AS "counted",
        (SELECT json_agg(c) FROM (
           SELECT "device"::text AS "device", nullif("system", '') AS "version", sum("change")::float8 AS "openings"
           FROM "DailyOpening" WHERE ${within} GROUP BY 1, 2 HAVING sum("change") > 0
         ) c) AS "systems"`,
    { prepared: true },
  );
  return { days: activityDays(names, row?.counted ?? []), ...openedSystems(row?.systems ?? []) };
}

/** Numbers of rows, the bytes of all files and the waiting invitations, in one statement. */
export async function readNumbers(
  db: Db,
): Promise<{ counts: Dashboard["counts"]; usedBytes: number; invitations: number; auditFaults: AuditFault[] }> {
  const [row] = await queryRows<
    Dashboard["counts"] & { usedBytes: number; invitations: number; auditFaults: AuditFault[] | null }
  >(
    db,
    sql`
      SELECT
        (SELECT count(*)::int FROM "App") AS "apps",
        (SELECT count(*)::int FROM "Environment") AS "environments",
        (SELECT coalesce(sum("change"), 0)::float8 FROM "ReleaseCount") AS "releases",
        (SELECT count(*)::int FROM "Platform") AS "platforms",
        (SELECT coalesce(sum("change"), 0)::float8 FROM "UserCount") AS "users",
        (SELECT coalesce(sum(u."change"), 0)::float8 FROM "UserCount" u JOIN "Role" r ON r."id" = u."roleId"
         WHERE r."name" <> ${SUPER_ADMIN}) AS "testers",
        (SELECT count(*)::int FROM "Role") AS "roles",
        (SELECT count(*)::int FROM "RolePermission") AS "permissions",
        (SELECT count(*)::int FROM "ApiToken" WHERE "revokedAt" IS NULL) AS "apiTokens",
        (SELECT coalesce(sum("count"), 0)::float8 FROM "AuditCount" WHERE "userId" = ${ALL_ENVIRONMENTS}::uuid) AS "auditRecords",
        (SELECT coalesce(sum("change"), 0)::float8 FROM "StoredBytes") AS "usedBytes",
        (SELECT count(*)::int FROM (
          SELECT 1 FROM "User" WHERE "provider" = 'email' AND "passwordHash" IS NULL AND "status" = 'active' LIMIT 1000
        ) invited) AS "invitations",
        ${KNOWN_FAULTS} AS "auditFaults"`,
    { prepared: true },
  );
  const { usedBytes, invitations, auditFaults, ...counts } = row as NonNullable<typeof row>;
  return { counts, usedBytes, invitations, auditFaults: auditFaults ?? [] };
}

/** The apps in which something was published last, each with the latest release of its environments and its installs. */
export async function readRecentApps(db: Db, now: Date): Promise<DashboardApp[]> {
  const days = lastDays(RECENT_DAYS, now);
  const rows = await queryRows<{
    app: JsonRow<AppRow>;
    environments: DashboardApp["environments"] | null;
    installs: { day: string; count: number }[] | null;
  }>(
    db,
    sql`
      WITH newest AS MATERIALIZED (
        SELECT e."id" AS "environmentId", e."appId", e."name", e."createdAt", r."deployDate"
        FROM "Environment" e LEFT JOIN LATERAL (
          SELECT r."deployDate" FROM "Release" r WHERE r."environmentId" = e."id"
          ORDER BY r."deployDate" DESC, r."id" DESC LIMIT 1
        ) r ON true
      ),
      recent AS MATERIALIZED (
        SELECT a.*, n."at" FROM "App" a LEFT JOIN (
          SELECT "appId", max("deployDate") AS "at" FROM newest GROUP BY "appId"
        ) n ON n."appId" = a."id"
        ORDER BY n."at" DESC NULLS LAST, a."createdAt" DESC, a."id" DESC LIMIT ${SHOWN_APPS}
      )
      SELECT to_json(a) AS "app",
        (SELECT json_agg(json_build_object('id', n."environmentId", 'name', n."name", 'latest', (
            SELECT json_build_object('id', r."id", 'version', r."version", 'buildNumber', r."buildNumber",
              'deployDate', r."deployDate")
            FROM "Platform" p CROSS JOIN LATERAL (
              SELECT r.* FROM "Release" r WHERE r."environmentId" = n."environmentId" AND r."platformId" = p."id"
              ORDER BY ${LATEST_FIRST} LIMIT 1
            ) r ORDER BY ${LATEST_FIRST} LIMIT 1
          )) ORDER BY n."deployDate" DESC NULLS LAST, n."createdAt", n."environmentId")
         FROM newest n WHERE n."appId" = a."id") AS "environments",
        (SELECT json_agg(i) FROM (
           SELECT d."day"::text AS "day", sum(d."change")::float8 AS "count" FROM "DailyActivity" d
           WHERE d."environmentId" = ANY (ARRAY(SELECT n."environmentId" FROM newest n WHERE n."appId" = a."id"))
             AND d."kind" = 'install' AND d."day" BETWEEN ${days[0]}::date AND ${days.at(-1)}::date
           GROUP BY d."day"
         ) i) AS "installs"
      FROM recent a ORDER BY a."at" DESC NULLS LAST, a."createdAt" DESC, a."id" DESC`,
  );
  const apps = await toApps(
    db,
    rows.map(({ app }) => ({ ...app, createdAt: new Date(app.createdAt), updatedAt: new Date(app.updatedAt) })),
    "all",
  );
  return apps.map((app, index) => {
    const { environments, installs } = rows[index] as (typeof rows)[number];
    const counts = new Map(installs?.map(({ day, count }) => [day, count]));
    return {
      ...app,
      environments: (environments ?? []).map(({ latest, ...environment }) => ({
        ...environment,
        latest: latest && { ...latest, deployDate: new Date(latest.deployDate).toISOString() },
      })),
      installs: days.map((day) => counts.get(day) ?? 0),
    };
  });
}
