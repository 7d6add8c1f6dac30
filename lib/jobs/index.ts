import "server-only";
import type { JobResult, Job as PgBossJob } from "pg-boss";
import { log } from "@/lib/kernel/log";
import type { Job } from "./job";
import { mailJob } from "./mail";
import { closeQueues, queueOf } from "./queue";
import { sweepJob } from "./sweep-job";

/** How long a stop waits for a job that runs, in milliseconds. */
const STOP_MS = 10_000;

/** All there are. */
const JOBS: readonly Job<never>[] = [sweepJob, mailJob];

// In development, modules are loaded anew at each change; the jobs must not be started twice.
const kept = globalThis as { slipwayJobs?: Promise<void> };

async function begin(job: Job<never>): Promise<void> {
  const boss = await queueOf(job);
  if (job.schedule) await boss.schedule(job.queue, job.schedule);
  const { pollingIntervalSeconds, batchSize = 1 } = job.work;
  const options = {
    pollingIntervalSeconds,
    notifyPollingIntervalSeconds: pollingIntervalSeconds,
    batchSize,
    // A full batch means that there is more: the next one is fetched at once.
    burstWhenBatchFull: batchSize > 1,
    perJobResults: true,
  } as const;
  await boss.work(job.queue, options, (pieces) => Promise.all(pieces.map((piece) => run(job, piece))));
}

/** Runs one piece of work and says what became of it, so that one that fails takes none of its batch along. */
async function run(job: Job<never>, { id, data, signal }: PgBossJob<unknown>): Promise<JobResult> {
  try {
    const outcome = await job.run(data as never, { id, signal });
    // `deadletter` without a dead letter queue: failed for good, and to be seen as such in the table.
    return { id, status: outcome === "done" ? "completed" : "deadletter" };
  } catch (error) {
    log.warn({ err: error, job: job.queue, id }, "a job failed");
    return { id, status: "failed", output: { message: error instanceof Error ? error.message : String(error) } };
  }
}

/** Starts the work that goes on beside the requests. Every instance calls it; each job runs on one of them at a time. */
export async function startJobs(): Promise<void> {
  kept.slipwayJobs ??= Promise.all(JOBS.map(begin)).then(() => {});
  try {
    await kept.slipwayJobs;
  } catch (error) {
    kept.slipwayJobs = undefined;
    throw error;
  }
}

/** Stops beginning jobs and waits a while for the one that runs. */
export async function stopJobs(): Promise<void> {
  kept.slipwayJobs = undefined;
  await closeQueues(STOP_MS);
}
