import "server-only";
import type { Queue, WorkOptions } from "pg-boss";
import { MINUTE_MS } from "@/lib/kernel/time";

/**
 * How long a run that does everything due may take. It leaves the rest to another run, because jobs that wait longer
 * are reported.
 */
export const MAX_RUN_MS = 5 * MINUTE_MS;

/**
 * A job without a heartbeat for this long counts as interrupted. Its worker sends one every half of this time. Without
 * heartbeats, the job of a killed process would block its queue until the time limit.
 */
export const HEARTBEAT_SECONDS = 60;

/** The result of a job that is not retried. A job that is to be retried throws. */
export type JobOutcome = "done" | "rejected";

/** A kind of background work. Each job of its queue runs on one instance at a time. */
export interface Job<Data extends object = object> {
  /** The queue's name. */
  queue: string;
  /** The queue's policy for retries and retention, updated at each start. */
  options: Omit<Queue, "name" | "partition" | "heartbeatSeconds">;
  /** The polling interval, and the number of jobs per instance at a time. */
  work: Pick<WorkOptions, "batchSize"> & { pollingIntervalSeconds: number };
  /** A cron expression in UTC, for periodic work. */
  schedule?: string;
  /**
   * Runs the job.
   * @param id the job's ID, the same for each retry
   * @param signal aborts when the time limit of the queue is reached
   * @throws an error if the job is to be retried; it is stored and logged, so it must not contain a secret
   */
  run(data: Data, context: { id: string; signal: AbortSignal }): Promise<JobOutcome>;
}

/**
 * The options of a job that does what is due. Calls request a run. A run is not retried: the schedule starts one each minute, for what
 * becomes due later or was interrupted.
 */
export const DUE_JOB = {
  options: { notify: true, retryLimit: 0, expireInSeconds: 900, deleteAfterSeconds: 3_600 },
  // A database notification wakes the worker at once.
  work: { pollingIntervalSeconds: 2 },
  schedule: "* * * * *",
} as const satisfies Pick<Job, "options" | "work" | "schedule">;

/** The options of a job that runs on request. Scheduled runs continue work that waits or was interrupted. */
export const REQUESTED_JOB = {
  // `stately`: one run at a time, and one that waits.
  options: {
    policy: "stately",
    notify: true,
    retryLimit: 3,
    retryDelay: 60,
    expireInSeconds: 3_600,
  },
  work: { pollingIntervalSeconds: 5 },
} as const satisfies Pick<Job, "options" | "work">;
