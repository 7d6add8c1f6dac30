import { databasePool } from "@/lib/db/client";
import { mailJob } from "@/lib/jobs/mail";
import { queueOf } from "@/lib/jobs/queue";
import { sweepJob } from "@/lib/jobs/sweep-job";

const JOBS = { mail: mailJob, sweep: sweepJob };

/** Makes a job that failed for good. @returns its ID */
export async function aFailedJob(queue: keyof typeof JOBS, reason = "550 no such user"): Promise<string> {
  await queueOf(JOBS[queue]);
  const { rows } = await databasePool().query<{ id: string }>(
    `INSERT INTO pgboss.job ("id", "name", "state", "policy", "data", "completed_on", "output")
     SELECT gen_random_uuid(), "name", 'failed', "policy", '{}', now(), jsonb_build_object('message', $2::text)
     FROM pgboss.queue WHERE "name" = $1 RETURNING "id"`,
    [queue, reason],
  );
  return (rows[0] as { id: string }).id;
}
