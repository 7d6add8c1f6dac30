import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";

/** Waiting jobs of a queue are counted up to this. */
const WAITING_CAP = 10_000;

/** The jobs of a queue, over all instances. */
interface QueueState {
  queue: string;
  /** Those that wait for their turn or for a retry, up to 10,000. */
  waiting: number;
  /** When the oldest of them was created. */
  oldestAt: Date | null;
  active: number;
  /** Those that failed for good and are still kept. pg-boss counts them every minute. */
  failed: number;
}

/** The queues in the order of their names; none before the first instance has created them. */
export async function readQueues(db: Db): Promise<QueueState[]> {
  if (!(await hasQueues(db))) return [];
  return queryRows(
    db,
    sql`
      SELECT q."name" AS "queue", waiting."count" AS "waiting", oldest."created_on" AS "oldestAt",
        q."active_count" AS "active", q."failed_count" AS "failed"
      FROM pgboss.queue q
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS "count" FROM (
          SELECT 1 FROM pgboss.job j WHERE j."name" = q."name" AND j."state" < 'active' AND NOT j."blocked"
          LIMIT ${WAITING_CAP}
        ) capped
      ) waiting
      LEFT JOIN LATERAL (
        SELECT j."created_on" FROM pgboss.job j WHERE j."name" = q."name" AND j."state" < 'active' AND NOT j."blocked"
        ORDER BY j."priority" DESC, j."created_on" LIMIT 1
      ) oldest ON true
      WHERE q."name" !~ '^__pgboss'
      ORDER BY q."name"`,
    { prepared: true },
  );
}

/** Whether the queues exist: pg-boss creates its schema when the first instance starts. */
export async function hasQueues(db: Db): Promise<boolean> {
  const [schema] = await queryRows<{ exists: boolean }>(
    db,
    sql`SELECT to_regclass('pgboss.job') IS NOT NULL AS "exists"`,
    { prepared: true },
  );
  return schema?.exists === true;
}
