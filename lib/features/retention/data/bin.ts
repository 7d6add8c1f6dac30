import "server-only";
import type { z } from "zod";
import { likeText, pagePosition, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { BinReason, PlatformKind } from "@/lib/db/generated/client";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { invalidField } from "@/lib/kernel/errors";
import { safeFileName } from "@/lib/kernel/file-name";
import type { Target } from "@/lib/permissions/authorize";
import type { BinnedRelease, getBinInput } from "../schema";

interface BinnedRow {
  id: string;
  displayName: string;
  version: string;
  buildNumber: string;
  fileName: string;
  size: number;
  deployDate: Date;
  reason: BinReason;
  binnedAt: Date;
  expiresAt: Date;
  platform: { id: string; name: string; kind: PlatformKind };
  environment: { id: string; name: string; active: boolean; app: { id: string; name: string } };
  user: { id: string; name: string } | null;
  token: { id: string; name: string } | null;
}

/** Reads releases of the bin that can still be restored. */
function readBin(from: Db, condition: Sql, now: Date, page: Sql = empty): Promise<BinnedRow[]> {
  return queryRows<BinnedRow>(
    from,
    sql`
      SELECT b."id", b."displayName", b."version", b."buildNumber", b."fileName", b."size"::float8 AS "size", b."deployDate",
        b."reason", b."binnedAt", b."expiresAt",
        json_build_object('id', p."id", 'name', p."name", 'kind', p."kind") AS "platform",
        json_build_object('id', e."id", 'name', e."name", 'active', e."status" = 'active' AND a."status" = 'active',
          'app', json_build_object('id', a."id", 'name', a."name")) AS "environment",
        CASE WHEN u."id" IS NOT NULL
          THEN json_build_object('id', u."id", 'name', u."firstNames" || ' ' || u."lastNames") END AS "user",
        CASE WHEN t."id" IS NOT NULL THEN json_build_object('id', t."id", 'name', t."name") END AS "token"
      FROM "BinnedRelease" b JOIN "Environment" e ON e."id" = b."environmentId" JOIN "App" a ON a."id" = e."appId"
        JOIN "Platform" p ON p."id" = b."platformId" LEFT JOIN "User" u ON u."id" = b."binnedByUser"
        LEFT JOIN "ApiToken" t ON t."id" = b."binnedByToken"
      WHERE b."expiresAt" > ${now}::timestamptz AND ${condition} ${page}`,
  );
}

/** A release of the bin as the API shows it. */
function toBinned({ user, token, environment, ...row }: BinnedRow): BinnedRelease {
  return {
    ...row,
    fileName: safeFileName(row.fileName),
    app: environment.app,
    environment: { id: environment.id, name: environment.name },
    deletedBy: user ? { kind: "user", ...user } : token && { kind: "token", ...token },
    deployDate: row.deployDate.toISOString(),
    binnedAt: row.binnedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** A release of the bin as the target of a call. */
interface BinnedTarget extends Target {
  binned: BinnedRelease;
}

/** Loads a release of the bin as the target of a call; null if it is not there, or can no longer be restored. */
export async function binnedTarget(from: Db, id: string, now: Date): Promise<BinnedTarget | null> {
  const [row] = await readBin(from, sql`b."id" = ${id}::uuid`, now);
  if (!row) return null;
  const { environment } = row;
  return {
    appId: environment.app.id,
    environmentId: environment.id,
    active: environment.active,
    binned: toBinned(row),
  };
}

const SIZE = /^\d{1,15}$/;

/** One page of the bin of some environments. */
export async function listBin(
  from: Db,
  environmentIds: readonly string[],
  input: z.output<typeof getBinInput>,
  now: Date,
): Promise<{ items: BinnedRelease[]; nextCursor: string | null; total: number; bytes: number }> {
  const { field, descending, after } = pagePosition(input, ["binnedAt"]);
  if (after && field === "size" && !SIZE.test(String(after.value))) throw invalidField("cursor", "cursor");
  const key = field === "size" ? sql`b."size"` : sql`b."binnedAt"`;
  const direction = raw(descending ? "DESC" : "ASC");
  const like = input.search ? `%${likeText(input.search)}%` : null;
  const wanted = join(
    [
      sql`b."environmentId" = ANY (${environmentIds}::uuid[])`,
      ...(like === null
        ? []
        : [sql`(b."version" ILIKE ${like} OR b."buildNumber" ILIKE ${like} OR b."displayName" ILIKE ${like})`]),
    ],
    " AND ",
  );
  const value = after && (field === "size" ? sql`${after.value}::bigint` : sql`${after.value}`);
  const beyond = after && sql`(${key}, b."id") ${raw(descending ? "<" : ">")} (${value}, ${after.id}::uuid)`;
  const rows = await readBin(
    from,
    beyond ? sql`${wanted} AND ${beyond}` : wanted,
    now,
    sql`ORDER BY ${key} ${direction}, b."id" ${direction} LIMIT ${input.limit + 1}`,
  );
  const [sums] = await queryRows<{ total: number; bytes: number }>(
    from,
    sql`
      SELECT count(*)::float8 AS "total", coalesce(sum(b."size"), 0)::float8 AS "bytes" FROM "BinnedRelease" b
      WHERE b."expiresAt" > ${now}::timestamptz AND ${wanted}`,
  );
  const page = toPage(rows, input);
  return { items: page.rows.map(toBinned), nextCursor: page.nextCursor, ...(sums ?? { total: 0, bytes: 0 }) };
}

/** Ends the time in which releases of an environment can be restored. @param ids of some; null for all of the environment */
export async function expireBin(
  tx: Db,
  environmentId: string,
  ids: readonly string[] | null,
  now: Date,
): Promise<{ releases: number; bytes: number }> {
  const some = ids === null ? empty : sql`AND "id" = ANY (${ids}::uuid[])`;
  const [row] = await queryRows<{ releases: number; bytes: number }>(
    tx,
    sql`
      WITH expired AS (
        UPDATE "BinnedRelease" SET "expiresAt" = ${now}::timestamptz
        WHERE "environmentId" = ${environmentId}::uuid AND "expiresAt" > ${now}::timestamptz ${some} RETURNING "size"
      )
      SELECT count(*)::float8 AS "releases", coalesce(sum("size"), 0)::float8 AS "bytes" FROM expired`,
  );
  return row ?? { releases: 0, bytes: 0 };
}
