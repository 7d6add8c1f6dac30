import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { isUniqueViolation } from "@/lib/db/unavailable";
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
interface FailedJob {
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
 * Lets a job that failed for good run once more, as soon as an instance takes it. It waits from now on, so that it does not
 * count as delayed.
 * @returns its queue, and whether it was queued; null if there is no such job. It is not queued if it is no longer failed, or if only
 *   one job of its kind may wait or run and another one does: the transaction cannot be continued then
 */
export async function retryFailedJob(tx: Db, id: string): Promise<{ queue: string; isQueued: boolean } | null> {
  if (!(await hasQueues(tx))) return null;
  // The jobs are indexed by their queue and ID.
  const [job] = await queryRows<{ queue: string }>(
    tx,
    sql`
      SELECT q."name" AS "queue" FROM pgboss.queue q
      JOIN pgboss.job j ON j."name" = q."name" AND j."id" = ${id}::uuid`,
  );
  if (!job) return null;
  const { queue } = job;
  try {
    const queued = await queryRows(
      tx,
      sql`
        UPDATE pgboss.job SET "state" = 'retry', "retry_limit" = "retry_limit" + 1, "completed_on" = NULL,
          "created_on" = now(), "start_after" = now(), "keep_until" = now() + ("keep_until" - "start_after")
        WHERE "name" = ${queue} AND "id" = ${id}::uuid AND "state" = 'failed'
        RETURNING "id"`,
    );
    return { queue, isQueued: queued.length === 1 };
  } catch (error) {
    // pg-boss has a unique index of the waiting and running jobs of such a kind.
    if (isUniqueViolation(error)) return { queue, isQueued: false };
    throw error;
  }
}
