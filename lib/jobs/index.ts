import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { doneWithin } from "@/lib/kernel/timeout";
import { appleRegistrationsJob } from "./apple-registrations";
import { allRecordsJob, newRecordsJob } from "./audit-verification";
import { binJob } from "./bin";
import { certificateExpiryJob } from "./certificate-expiry";
import { distributionsJob } from "./distributions";
import { expiryMailsJob } from "./expiry-mails";
import { installCheckJob } from "./install-check";
import { installerFactsJob } from "./installer-facts";
import type { Job } from "./job";
import { mailJob } from "./mail";
import { closeQueues } from "./queue";
import { retentionJob } from "./retention";
import { revocationsJob } from "./revocations";
import { sweepJob } from "./sweep-job";
import { testerMailsJob } from "./tester-mails";
import { testerPushesJob } from "./tester-pushes";
import { tokenExpiryJob } from "./token-expiry";
import { universalApksJob } from "./universal-apks";
import { webhooksJob } from "./webhooks";
import { startWorker } from "./worker";

/** How long `stopJobs` waits for running jobs. */
const STOP_TIMEOUT_MS = 10_000;

/** How long until a worker that could not start is started again. */
const RETRY_MS = 2_000;

/** All background jobs. */
export const JOBS: readonly Job<never>[] = [
  sweepJob,
  mailJob,
  certificateExpiryJob,
  tokenExpiryJob,
  expiryMailsJob,
  installerFactsJob,
  revocationsJob,
  webhooksJob,
  distributionsJob,
  retentionJob,
  binJob,
  testerMailsJob,
  installCheckJob,
  universalApksJob,
  appleRegistrationsJob,
  testerPushesJob,
  newRecordsJob,
  allRecordsJob,
];

interface Start {
  stop: AbortController;
  ready: Promise<unknown>;
}

const started = processSingleton("jobs", (): Start => {
  const stop = new AbortController();
  return { stop, ready: Promise.all(JOBS.map((job) => startWorkerWithRetries(job, stop.signal))) };
});

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

/** Starts no more jobs and waits for the running ones, for at most 10 seconds. */
export async function stopJobs(): Promise<void> {
  const start = started.clear();
  start?.stop.abort();
  // A start in progress must not open the queues again after they are closed.
  if (start) await doneWithin(start.ready, STOP_TIMEOUT_MS);
  await closeQueues(STOP_TIMEOUT_MS);
}
