import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { DAY_MS } from "@/lib/kernel/time";

/** The failures of a queue within a day. */
export interface JobFailures {
  queue: string;
  count: number;
  lastAt: Date;
}

/** The queues whose jobs failed for good in the last 24 hours, or have been retried in vain since. */
export async function recentJobFailures(db: Db, now: Date): Promise<JobFailures[]> {
  // pg-boss creates its schema when the first instance starts.
  const [schema] = await queryRows<{ exists: boolean }>(
    db,
    sql`SELECT to_regclass('pgboss.job') IS NOT NULL AS "exists"`,
  );
  if (!schema?.exists) return [];
  return queryRows(
    db,
    sql`
      SELECT "name" AS "queue", count(*)::int AS "count", max(coalesce("completed_on", "started_on", "created_on")) AS "lastAt"
      FROM pgboss.job
      WHERE "state" IN ('failed', 'retry')
        AND coalesce("completed_on", "started_on", "created_on") > ${new Date(now.getTime() - DAY_MS)}::timestamptz
      GROUP BY "name" ORDER BY "name"`,
  );
}
