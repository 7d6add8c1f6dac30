import type { Worker, WorkerOptions } from "node:worker_threads";

/** The JavaScript heap of one thread: two archives of 100,000 files fit. */
const MAX_HEAP_MB = 256;

/**
 * Options of a thread that reads what users send: it has no environment variables and a small heap. They are spread into an object literal,
 * because Next has to see which options `new Worker` gets to bundle the thread's program.
 */
export const UNTRUSTED_THREAD = {
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
} satisfies WorkerOptions;

/** How often the processor time of a thread is read. */
const PROCESSOR_TIME_INTERVAL_MS = 250;

/** What a thread may not have more of: time on the clock, processor time, memory. */
export type ThreadLimit = "time" | "processor" | "memory";

/** How the result of a worker thread is decided. */
interface ThreadOutcome<Message, Result> {
  /** On the clock, with all that the thread waits for. */
  timeoutMs: number;
  /** Of processor time, which does not depend on how busy the machine is; unlimited by default. */
  processorTimeMs?: number;
  /** Terminates the thread when it is aborted. */
  signal?: AbortSignal;
  /** Returns the error for a thread that used too much. */
  exhausted(limit: ThreadLimit): Error;
  /** Is called for each message of the thread. */
  message(message: Message, settle: { resolve(result: Result): void; reject(error: unknown): void }): void;
}

/** Milliseconds of processor time that a thread has used; 0 once it has ended. */
async function processorTimeOf(worker: Worker): Promise<number> {
  // Before Node.js 24.6, only the time in which the thread was not idle is known.
  if (!("cpuUsage" in worker)) return (worker as Worker).performance.eventLoopUtilization().active;
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1_000;
}

/**
 * Waits for the result of a worker thread, and terminates the thread then.
 * @throws the errors of `outcome` and of the thread; the signal's reason
 */
export async function resultOfThread<Message, Result>(
  worker: Worker,
  outcome: ThreadOutcome<Message, Result>,
): Promise<Result> {
  const { timeoutMs, processorTimeMs, signal } = outcome;
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => reject(outcome.exhausted("time")), timeoutMs);
  const checkProcessorTime = async (limitMs: number) => {
    if ((await processorTimeOf(worker)) > limitMs) reject(outcome.exhausted("processor"));
  };
  const processorTimer =
    processorTimeMs === undefined
      ? undefined
      : setInterval(() => void checkProcessorTime(processorTimeMs), PROCESSOR_TIME_INTERVAL_MS);
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
    clearInterval(processorTimer);
    signal?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}
