import "server-only";
import type { JobResult, Job as PgBossJob } from "pg-boss";
import { log } from "@/lib/kernel/log";
import { metrics } from "@/lib/kernel/metrics";
import { inSpan } from "@/lib/kernel/tracing";
import type { Job, JobOutcome } from "./job";
import { queueOf } from "./queue";

/** The results of a job. */
const OUTCOMES: readonly (JobOutcome | "failed")[] = ["done", "rejected", "failed"];

/** Starts the worker of a job, with its schedule if it has one. */
export async function startWorker(job: Job<never>): Promise<void> {
  // A series that begins with its first failure would hide it from the functions of Prometheus.
  for (const outcome of OUTCOMES) metrics.get().jobs.inc({ queue: job.queue, outcome }, 0);
  const boss = await queueOf(job);
  if (job.schedule) await boss.schedule(job.queue, job.schedule);
  const { pollingIntervalSeconds, batchSize = 1 } = job.work;
  const options = {
    pollingIntervalSeconds,
    notifyPollingIntervalSeconds: pollingIntervalSeconds,
    batchSize,
    // After a full batch there is more work, so the next batch is fetched at once.
    burstWhenBatchFull: batchSize > 1,
    perJobResults: true,
  } as const;
  await boss.work(job.queue, options, (batch) => Promise.all(batch.map((item) => run(job, item))));
}

/** Runs one job of a batch and returns its result, so that a failure does not fail the rest of the batch. */
async function run(job: Job<never>, { id, data, signal }: PgBossJob<unknown>): Promise<JobResult> {
  const { jobs, jobSeconds } = metrics.get();
  const end = jobSeconds.startTimer({ queue: job.queue });
  try {
    const outcome = await inSpan(`job ${job.queue}`, { kind: "consumer" }, () =>
      job.run(data as never, { id, signal }),
    );
    jobs.inc({ queue: job.queue, outcome });
    // Without a dead letter queue, `deadletter` marks the job as failed without retries.
    return { id, status: outcome === "done" ? "completed" : "deadletter" };
  } catch (error) {
    jobs.inc({ queue: job.queue, outcome: "failed" });
    log.warn({ err: error, job: job.queue, id }, "a job failed");
    return { id, status: "failed", output: { message: error instanceof Error ? error.message : String(error) } };
  } finally {
    end();
  }
}
