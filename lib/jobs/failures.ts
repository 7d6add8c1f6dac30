import "server-only";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
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

/**
 * Lets a job that failed for good run once more, as soon as an instance takes it.
 * @returns its queue, and whether it was queued: it may not be failed any more, or of a kind of which only one may wait or
 *   run, and does; null if there is no such job
 */
export async function retryFailedJob(tx: Db, id: string): Promise<{ queue: string; isQueued: boolean } | null> {
  if (!(await hasQueues(tx))) return null;
  const [job] = await queryRows<{ queue: string; policy: string | null }>(
    tx,
    sql`SELECT "name" AS "queue", "policy" FROM pgboss.job WHERE "id" = ${id}::uuid`,
  );
  if (!job) return null;
  const { queue, policy } = job;
  // Two of them would otherwise be queued at the same moment.
  await lockUntilCommit(tx, `retry-job:${queue}`);
  const queued = await queryRows(
    tx,
    sql`
      UPDATE pgboss.job SET "state" = 'retry', "retry_limit" = "retry_limit" + 1, "start_after" = now(), "completed_on" = NULL
      WHERE "name" = ${queue} AND "id" = ${id}::uuid AND "state" = 'failed' AND NOT (${policy === "exclusive"} AND EXISTS (
        SELECT 1 FROM pgboss.job other WHERE other."name" = ${queue} AND other."state" <= 'active'
      ))
      RETURNING "id"`,
  );
  return { queue, isQueued: queued.length === 1 };
}
