import "server-only";
import type { Queue, WorkOptions } from "pg-boss";

/** What a run of a job came to: done, or never to be tried again. To be tried again, it throws. */
export type JobOutcome = "done" | "given-up";

/** A kind of work that goes on beside the requests, on one instance at a time for each piece of it. */
export interface Job<Data extends object = object> {
  /** The queue's name. */
  queue: string;
  /** How the queue retries and forgets; brought up to date at each start. */
  options: Omit<Queue, "name" | "partition">;
  /** How soon, and how many at once on one instance. */
  work: Pick<WorkOptions, "batchSize"> & { pollingIntervalSeconds: number };
  /** A cron expression in UTC, for work that nobody asks for. */
  schedule?: string;
  /**
   * Does the work once.
   * @param id of this piece of work, the same at each retry
   * @param signal ends when the time that the queue gives is over
   * @throws an error for which the job is to be tried again; it is stored and logged, so it must hold no secret
   */
  run(data: Data, context: { id: string; signal: AbortSignal }): Promise<JobOutcome>;
}
