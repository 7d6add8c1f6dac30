import "server-only";
import type { z } from "zod";
import { containsText, likeText, pageClauses, pagePosition, type SortFields, sortField, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { type Prisma, Status } from "@/lib/db/generated/client";
import { empty, join, queryRows, raw, sql } from "@/lib/db/query";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import type { Target } from "@/lib/permissions/authorize";
import type { Reach } from "@/lib/permissions/reach";
import { environmentSql, environmentWhere } from "@/lib/permissions/visibility";
import type { App, getAppsInput, getAuthorizedAppsInput } from "./schema";

export type AppRow = Prisma.AppGetPayload<object>;

/** An app's row as the API shows it, without the picture; see `toApps`. */
export function toAppFields(row: AppRow): Omit<App, "iconUrl"> {
  return {
    id: row.id,
    name: row.name,
    identifier: row.identifier,
    description: row.description,
    logoUrl: row.logoFileId && fileUrl(row.logoFileId),
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * The icon of the newest installer of each of some apps, by app. It is the first entry of an index for each environment, so
 * the number of releases does not matter.
 *
 * @param reach the environments to look in
 */
async function newestIcons(db: Db, appIds: readonly string[], reach: Reach): Promise<Map<string, string>> {
  if (appIds.length === 0) return new Map();
  const rows = await queryRows<{ appId: string; iconFileId: string }>(
    db,
    sql`
      SELECT DISTINCT ON (e."appId") e."appId", l."iconFileId" FROM "Environment" e CROSS JOIN LATERAL (
        SELECT r."iconFileId", r."deployDate", r."id" FROM "Release" r
        WHERE r."environmentId" = e."id" AND r."iconFileId" IS NOT NULL
        ORDER BY r."deployDate" DESC, r."id" DESC LIMIT 1
      ) l
      WHERE e."appId" = ANY(${appIds}::uuid[]) AND ${environmentSql.within(reach)}
      ORDER BY e."appId", l."deployDate" DESC, l."id" DESC`,
  );
  return new Map(rows.map(({ appId, iconFileId }) => [appId, iconFileId]));
}

/**
 * Apps as the API shows them, with their pictures.
 *
 * @param reach where the caller sees installers
 */
export async function toApps(db: Db, rows: readonly AppRow[], reach: Reach): Promise<App[]> {
  const withoutLogo = rows.filter(({ logoFileId }) => logoFileId === null).map(({ id }) => id);
  const icons = await newestIcons(db, withoutLogo, reach);
  return rows.map((row) => {
    const icon = row.logoFileId ?? icons.get(row.id);
    return { ...toAppFields(row), iconUrl: icon ? fileUrl(icon) : null };
  });
}

/** One app as the API shows it; see `toApps`. */
export async function toApp(db: Db, row: AppRow, reach: Reach): Promise<App> {
  const [app] = await toApps(db, [row], reach);
  return app as App;
}

/** An app as the target of a call, with its row. */
interface AppTarget extends Target {
  app: AppRow;
}

/** Loads an app as the target of a call that concerns the app as a whole; null if it does not exist. */
export async function appTarget(db: Db, id: string): Promise<AppTarget | null> {
  const app = await findApp(db, id);
  return app && { appId: app.id, environmentId: null, active: app.status === "active", app };
}

const SORTS: SortFields = { status: { values: Object.values(Status) } };

async function page(db: Db, filter: Prisma.AppWhereInput, input: z.output<typeof getAuthorizedAppsInput>) {
  const where = { AND: [filter, containsText(input.search, ["name", "identifier"])] };
  const clauses = pageClauses(input, undefined, SORTS);
  const [rows, total] = await Promise.all([
    db.app.findMany({ ...clauses, where: { AND: [where, clauses.where] } }),
    db.app.count({ where }),
  ]);
  return { ...toPage(rows, input, SORTS), total };
}

/** The place of apps without releases: before all others. */
const NEVER = new Date("0001-01-01T00:00:00.000Z");

/** One page of the apps in the order of their latest releases, each of which is the first entry of an index. */
async function pageByLastRelease(db: Db, input: z.output<typeof getAppsInput>) {
  const { descending, after } = pagePosition(input, ["lastReleaseAt"]);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  const like = `%${likeText(input.search ?? "")}%`;
  const wanted = [
    sql`true`,
    ...(input.status ? [sql`a."status" = ${input.status}::"Status"`] : []),
    ...(input.search ? [sql`(a."name" ILIKE ${like} OR a."identifier" ILIKE ${like})`] : []),
  ];
  const beyond = after
    ? sql`WHERE (l."lastReleaseAt", l."id") ${raw(sign)} (${after.value}::timestamptz, ${after.id}::uuid)`
    : empty;
  const [placed, [counted]] = await Promise.all([
    queryRows<{ id: string; lastReleaseAt: Date }>(
      db,
      sql`
        SELECT l.* FROM (
          SELECT a."id", coalesce(max(r."deployDate"), ${NEVER}::timestamptz) AS "lastReleaseAt"
          FROM "App" a LEFT JOIN "Environment" e ON e."appId" = a."id" LEFT JOIN LATERAL (
            SELECT "deployDate" FROM "Release" WHERE "environmentId" = e."id" ORDER BY "deployDate" DESC, "id" DESC LIMIT 1
          ) r ON true
          WHERE ${join(wanted, " AND ")} GROUP BY a."id"
        ) l ${beyond}
        ORDER BY l."lastReleaseAt" ${raw(direction)}, l."id" ${raw(direction)} LIMIT ${input.limit + 1}`,
    ),
    queryRows<{ total: number }>(db, sql`SELECT count(*)::int AS "total" FROM "App" a WHERE ${join(wanted, " AND ")}`),
  ]);
  const { rows, nextCursor } = toPage(placed, input);
  const apps = new Map(
    (
      await findApps(
        db,
        rows.map(({ id }) => id),
      )
    ).map((app) => [app.id, app]),
  );
  // An app may be gone in the meantime.
  return { rows: rows.flatMap(({ id }) => apps.get(id) ?? []), nextCursor, total: counted?.total ?? 0 };
}

export function listApps(db: Db, input: z.output<typeof getAppsInput>) {
  if (sortField(input) === "lastReleaseAt") return pageByLastRelease(db, input);
  return page(db, input.status ? { status: input.status } : {}, input);
}

/**
 * The active apps with at least one active environment within a reach.
 *
 * @param id only this one
 */
export function listReachedApps(db: Db, reach: Reach, input: z.output<typeof getAuthorizedAppsInput>, id?: string) {
  const environments = { some: { AND: [{ status: "active" as const }, environmentWhere.within(reach)] } };
  return page(db, { status: "active", environments, id }, input);
}

/** The contents of an app in numbers. */
interface AppCounts {
  environmentCount: number;
  releaseCount: number;
  lastReleaseAt: Date | null;
}

/** The counts of some apps by ID, in one statement; an app without environments has zeros. */
export async function countsOfApps(db: Db, appIds: readonly string[]): Promise<Map<string, AppCounts>> {
  if (appIds.length === 0) return new Map();
  // For each environment, the latest release is the first entry of the index (environmentId, deployDate desc, id desc),
  // and triggers maintain the number of releases.
  const rows = await queryRows<{ appId: string } & AppCounts>(
    db,
    sql`
    SELECT a."id" AS "appId", count(e."id")::int AS "environmentCount",
           coalesce(sum(r."count"), 0)::float8 AS "releaseCount", max(l."deployDate") AS "lastReleaseAt"
    FROM "App" a
    LEFT JOIN "Environment" e ON e."appId" = a."id"
    LEFT JOIN LATERAL (SELECT sum("change") AS "count" FROM "ReleaseCount" WHERE "environmentId" = e."id") r ON true
    LEFT JOIN LATERAL (
      SELECT "deployDate" FROM "Release" WHERE "environmentId" = e."id" ORDER BY "deployDate" DESC, "id" DESC LIMIT 1
    ) l ON true
    WHERE a."id" = ANY(${appIds}::uuid[])
    GROUP BY a."id"`,
  );
  return new Map(rows.map(({ appId, ...counts }) => [appId, counts]));
}

export function findApp(db: Db, id: string): Promise<AppRow | null> {
  return db.app.findUnique({ where: { id } });
}

/** The ID of the app with an identifier, ignoring case; null if there is none. */
export async function findAppIdByIdentifier(db: Db, identifier: string): Promise<string | null> {
  // Prisma ignores case with ILIKE, where `_` and `%` are wildcards. The unique index uses lower().
  const where = sql`lower("identifier") = lower(${identifier})`;
  const [row] = await queryRows<{ id: string }>(db, sql`SELECT "id" FROM "App" WHERE ${where}`);
  return row?.id ?? null;
}

/** Some apps, by name. Unknown IDs are skipped. */
export function findApps(db: Db, ids: readonly string[]): Promise<AppRow[]> {
  return db.app.findMany({ where: { id: { in: [...ids] } }, orderBy: [{ name: "asc" }, { id: "asc" }] });
}

export function insertApp(db: Db, data: Prisma.AppUncheckedCreateInput): Promise<AppRow> {
  return db.app.create({ data });
}

export function updateApp(db: Db, id: string, data: Prisma.AppUncheckedUpdateInput): Promise<AppRow> {
  return db.app.update({ where: { id }, data });
}
