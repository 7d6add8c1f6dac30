/** The queue has no room for another task of the caller. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

export interface QueueLimits {
  running: number;
  waiting: number;
  waitingPerCaller: number;
}

/**
 * Runs a limited number of tasks at a time. Callers take turns: the next task is of the caller whose last turn is longest
 * ago, so a caller with many tasks delays another by one of them.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** The waiting tasks of each caller; the caller with the next turn is first. */
  readonly #lines = new Map<string, (() => void)[]>();
  #waiting = 0;
  #running = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a task when it is the caller's turn.
   * @param signal removes the task from the queue while it waits; a running task has to observe it itself
   * @throws QueueFullError; the reason of the signal; the errors of the task
   */
  async run<T>(caller: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#wait(caller, signal);
    try {
      return await task();
    } finally {
      this.#startNext();
    }
  }

  #wait(caller: string, signal: AbortSignal | undefined): Promise<void> {
    const line = this.#lines.get(caller) ?? [];
    if (this.#waiting >= this.#limits.waiting || line.length >= this.#limits.waitingPerCaller) {
      throw new QueueFullError();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#remove(caller, start);
      reject(signal?.reason);
    };
    const start = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    signal?.addEventListener("abort", leave, { once: true });
    line.push(start);
    this.#lines.set(caller, line);
    this.#waiting += 1;
    return promise;
  }

  #remove(caller: string, start: () => void): void {
    const line = this.#lines.get(caller) ?? [];
    line.splice(line.indexOf(start), 1);
    if (line.length === 0) this.#lines.delete(caller);
    this.#waiting -= 1;
  }

  /** Hands the place of a finished task to the next one, whose caller moves to the end of the round. */
  #startNext(): void {
    const [caller, line] = this.#lines.entries().next().value ?? [];
    const start = line?.[0];
    if (caller === undefined || line === undefined || start === undefined) {
      this.#running -= 1;
      return;
    }
    this.#remove(caller, start);
    if (this.#lines.delete(caller)) this.#lines.set(caller, line);
    start();
  }
}
