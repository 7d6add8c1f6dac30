import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import type { JobResult, Job as PgBossJob } from "pg-boss";
import { log } from "@/lib/kernel/log";
import { metrics } from "@/lib/kernel/metrics";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { doneWithin } from "@/lib/kernel/timeout";
import { inSpan } from "@/lib/kernel/tracing";
import { allRecordsJob, newRecordsJob } from "./audit-verification";
import { backupJob } from "./backup";
import { certificateExpiryJob } from "./certificate-expiry";
import type { Job, JobOutcome } from "./job";
import { mailJob } from "./mail";
import { closeQueues, queueOf } from "./queue";
import { sweepJob } from "./sweep-job";

/** How long `stopJobs` waits for running jobs. */
const STOP_TIMEOUT_MS = 10_000;

/** How long until a worker that could not start is started again. */
const RETRY_MS = 2_000;

/** The results of a job. */
const OUTCOMES: readonly (JobOutcome | "failed")[] = ["done", "rejected", "failed"];

const JOBS: readonly Job<never>[] = [sweepJob, mailJob, certificateExpiryJob, newRecordsJob, allRecordsJob];

interface Start {
  stop: AbortController;
  ready: Promise<unknown>;
}

const started = processSingleton("jobs", (): Start => {
  const stop = new AbortController();
  return { stop, ready: Promise.all(JOBS.map((job) => startWorkerWithRetries(job, stop.signal))) };
});

async function startWorker(job: Job<never>): Promise<void> {
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

/** Starts a worker, and retries until it succeeds: the database may be unavailable or full at the start. */
async function startWorkerWithRetries(job: Job<never>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await startWorker(job);
    } catch (error) {
      log.warn({ err: error, job: job.queue }, "a job could not be started and is retried");
      await delay(RETRY_MS, undefined, { ref: false, signal }).catch(() => {});
    }
  }
}

/**
 * Starts the workers of the background jobs. Every instance calls this; each job runs on one instance at a time.
 * @returns when all workers have started or `stopJobs` was called
 */
export async function startJobs(): Promise<void> {
  await started.get().ready;
}

/** Starts the worker that makes backups, in a process of its own. Its schedule ends with the setting, not with the process. */
export async function startBackupWorker(): Promise<void> {
  await startWorker(backupJob);
}

/** Starts no more jobs and waits for the running ones, for at most 10 seconds. */
export async function stopJobs(): Promise<void> {
  const start = started.clear();
  start?.stop.abort();
  // A start in progress must not open the queues again after they are closed.
  if (start) await doneWithin(start.ready, STOP_TIMEOUT_MS);
  await closeQueues(STOP_TIMEOUT_MS);
}
