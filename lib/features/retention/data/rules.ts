import "server-only";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
import { leavingReleases, type RetentionRule } from "@/lib/storage/retention";
import { PREVIEWED_RELEASES, type Retention, type RetentionPreview } from "../schema";

/** The rule of an environment without one: everything stays. */
const KEEP_ALL: RetentionRule = { keepNewest: null, keepDays: null, keepWithShareLink: true, mayDeleteAll: false };

/** The rule of an environment, and when it was stored; null if it was not. */
interface StoredRetention {
  rule: RetentionRule;
  updatedAt: Date | null;
}

/** The rule of an environment. */
export async function findRetention(from: Db, environmentId: string): Promise<StoredRetention> {
  const select = { keepNewest: true, keepDays: true, keepWithShareLink: true, mayDeleteAll: true, updatedAt: true };
  const row = await from.retention.findUnique({ where: { environmentId }, select });
  if (!row) return { rule: KEEP_ALL, updatedAt: null };
  const { updatedAt, ...rule } = row;
  return { rule, updatedAt };
}

/** Like `findRetention`; no other transaction changes it until this one ends. */
export async function lockRetention(tx: Db, environmentId: string): Promise<StoredRetention> {
  await lockUntilCommit(tx, `retention:${environmentId}`);
  return findRetention(tx, environmentId);
}

/** Stores the rule of an environment. What it deletes with the next run was previewed. */
export async function saveRetention(
  tx: Db,
  environmentId: string,
  rule: RetentionRule,
  due: Pick<RetentionPreview, "releases" | "bytes">,
): Promise<StoredRetention> {
  const data = { ...rule, dueReleases: due.releases, dueBytes: due.bytes };
  const { updatedAt } = await tx.retention.upsert({
    where: { environmentId },
    create: { environmentId, ...data },
    update: data,
    select: { updatedAt: true },
  });
  return { rule, updatedAt };
}

/** A rule as the API shows it. */
export function toRetention(environmentId: string, { rule, updatedAt }: StoredRetention): Retention {
  return { environmentId, ...rule, updatedAt: updatedAt?.toISOString() ?? null };
}

type PreviewRow = Omit<RetentionPreview["items"][number], "deployDate"> & { deployDate: string };

/** What a rule would move to the bin. */
export async function previewRetention(
  from: Db,
  environmentId: string,
  rule: RetentionRule,
  now: Date,
): Promise<RetentionPreview> {
  const leaving = (of: RetentionRule) =>
    leavingReleases(
      environmentId,
      of,
      now,
      sql`r."id", r."displayName", r."version", r."buildNumber", r."platformId", r."deployDate",
        r."size" + r."universalSize" + r."filesSize" AS "size"`,
    );
  const [row] = await queryRows<{
    releases: number;
    bytes: number;
    literally: number;
    total: number;
    items: PreviewRow[] | null;
  }>(
    from,
    sql`
      WITH leaving AS MATERIALIZED (${leaving(rule)})
      SELECT (SELECT count(*)::float8 FROM leaving) AS "releases",
        (SELECT coalesce(sum("size"), 0)::float8 FROM leaving) AS "bytes",
        (SELECT count(*)::float8 FROM (${leaving({ ...rule, mayDeleteAll: true })}) literally) AS "literally",
        (SELECT count(*)::float8 FROM "Release" r WHERE r."environmentId" = ${environmentId}::uuid) AS "total",
        (SELECT json_agg(json_build_object('id', l."id", 'displayName', l."displayName", 'version', l."version",
            'buildNumber', l."buildNumber", 'deployDate', l."deployDate", 'size', l."size",
            'platform', json_build_object('id', p."id", 'name', p."name", 'kind', p."kind")) ORDER BY l."size" DESC, l."id")
          FROM (SELECT * FROM leaving ORDER BY "size" DESC, "id" LIMIT ${PREVIEWED_RELEASES}) l
          JOIN "Platform" p ON p."id" = l."platformId") AS "items"`,
  );
  const { releases = 0, bytes = 0, literally = 0, total = 0, items } = row ?? {};
  return {
    releases,
    bytes,
    total,
    deletesAll: total > 0 && literally === total,
    items: (items ?? []).map((item) => ({ ...item, deployDate: new Date(item.deployDate).toISOString() })),
  };
}
