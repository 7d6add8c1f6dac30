import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { DAY_MS } from "@/lib/kernel/time";
import { hasQueues } from "./state";

/** The failures of a queue within a day. */
export interface JobFailures {
  queue: string;
  count: number;
  lastAt: Date;
}

/** The queues whose jobs failed for good in the last 24 hours, or have been retried in vain since. */
export async function recentJobFailures(db: Db, now: Date): Promise<JobFailures[]> {
  if (!(await hasQueues(db))) return [];
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

/** A job that failed for good. */
export interface FailedJob {
  id: string;
  queue: string;
  reason: string;
  failedAt: Date;
}

/** The latest jobs that failed for good and are still kept, the latest first. */
export async function listFailedJobs(db: Db, limit: number): Promise<FailedJob[]> {
  if (!(await hasQueues(db))) return [];
  return queryRows(
    db,
    sql`
      SELECT "id", "name" AS "queue", coalesce("output"->>'message', '') AS "reason", "completed_on" AS "failedAt"
      FROM pgboss.job WHERE "state" = 'failed' AND "completed_on" IS NOT NULL
      ORDER BY "completed_on" DESC, "id" LIMIT ${limit}`,
  );
}
