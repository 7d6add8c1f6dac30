import type { Worker } from "node:worker_threads";

/** How the result of a worker thread is decided. */
export interface ThreadOutcome<Message, Result> {
  timeoutMs: number;
  /** Terminates the thread when it is aborted. */
  signal?: AbortSignal;
  /** Returns the error for a thread that took too long, and for one that used too much memory. */
  exhausted(limit: "time" | "memory"): Error;
  /** Is called for each message of the thread. */
  message(message: Message, settle: { resolve(result: Result): void; reject(error: unknown): void }): void;
}

/**
 * Waits for the result of a worker thread, and terminates the thread then.
 * @throws the errors of `outcome` and of the thread; the signal's reason
 */
export async function resultOfThread<Message, Result>(
  worker: Worker,
  outcome: ThreadOutcome<Message, Result>,
): Promise<Result> {
  const { timeoutMs, signal } = outcome;
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => reject(outcome.exhausted("time")), timeoutMs);
  const stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop);
  worker.on("message", (message: Message) => outcome.message(message, { resolve, reject }));
  worker.on("error", (error: NodeJS.ErrnoException) => {
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? outcome.exhausted("memory") : error);
  });
  worker.on("exit", () => reject(new Error("the worker thread exited without a result")));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}
