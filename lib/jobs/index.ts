import "server-only";
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
  await boss.work(job.queue, { ...job.work, batchSize: 1, perJobResults: true }, async (pieces) =>
    Promise.all(
      pieces.map(async ({ id, data, signal }) => {
        const outcome = await job.run(data as never, { id, signal });
        // `deadletter` without a dead letter queue: failed for good, and to be seen as such in the table.
        return { id, status: outcome === "done" ? ("completed" as const) : ("deadletter" as const) };
      }),
    ),
  );
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
