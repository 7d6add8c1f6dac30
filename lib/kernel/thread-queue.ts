import { ApiError } from "./errors";
import { FairQueue, QueueFullError } from "./fair-queue";
import { type ProcessSingleton, processSingleton } from "./process-singleton";
import { aside } from "./turns";

/** The threads of one queue that run at the same time, the tasks that wait, and those of one caller among them. */
export const THREAD_QUEUE_LIMITS = { running: 2, waiting: 64, waitingPerCaller: 16 };

/** Who waits for the result of a thread. */
export interface ThreadCaller {
  /** The tasks of different callers run in turns. */
  id: string;
  /** Aborted when the caller no longer waits. */
  signal?: AbortSignal;
}

/** A queue of tasks that run in worker threads ([decision 016](../../docs/decisions/016-installers-in-threads.md)). */
export class ThreadQueue {
  readonly #queue: ProcessSingleton<FairQueue>;
  readonly #detailKey: string;

  /**
   * @param name of the process singleton
   * @param detailKey what a caller is told when the queue is full: a key below `errors.unavailable`
   */
  constructor(name: string, detailKey: string) {
    this.#queue = processSingleton(name, () => new FairQueue(THREAD_QUEUE_LIMITS));
    this.#detailKey = detailKey;
  }

  /**
   * Runs a task when it is the caller's turn.
   * @throws ApiError unavailable if the queue is full; the signal's reason; the errors of the task
   */
  async run<Result>({ id, signal }: ThreadCaller, task: () => Promise<Result>): Promise<Result> {
    try {
      return await aside(() => this.#queue.get().run(id, task, signal));
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw new ApiError("unavailable", { cause: error, retryAfter: 5, detailKey: this.#detailKey });
    }
  }
}
