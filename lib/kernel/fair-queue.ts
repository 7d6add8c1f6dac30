/** The queue has no room for another task of the caller. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

export interface QueueLimits {
  running: number;
  waiting: number;
  waitingPerCaller: number;
}

interface WaitingTask {
  start(): void;
  refuse(): void;
}

/** The callers whose last turn is remembered. */
const MAX_REMEMBERED = 1_000;

/**
 * Runs a limited number of tasks at a time. Callers take turns: the next task is of the caller whose last turn is longest
 * ago, so a caller who had none lately waits for one task at most, however many tasks others have. In a full queue, a task
 * of a caller with fewer tasks takes the place of the last one of the caller with the most.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** The waiting tasks of each caller. */
  readonly #lines = new Map<string, WaitingTask[]>();
  /** The number of the last turn of each caller, the latest last. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;
  #waiting = 0;
  #running = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** The number of tasks that run. */
  get running(): number {
    return this.#running;
  }

  /** The number of tasks that wait. */
  get waiting(): number {
    return this.#waiting;
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
    this.#countTurn(caller);
    try {
      return await task();
    } finally {
      this.#startNext();
    }
  }

  #wait(caller: string, signal: AbortSignal | undefined): Promise<void> {
    const length = this.#lines.get(caller)?.length ?? 0;
    if (length >= this.#limits.waitingPerCaller) throw new QueueFullError();
    if (this.#waiting >= this.#limits.waiting) this.#makeRoom(length + 1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#remove(caller, task);
      reject(signal?.reason);
    };
    const task: WaitingTask = {
      start: () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      },
      refuse: () => {
        signal?.removeEventListener("abort", leave);
        reject(new QueueFullError());
      },
    };
    signal?.addEventListener("abort", leave, { once: true });
    const line = this.#lines.get(caller) ?? [];
    line.push(task);
    this.#lines.set(caller, line);
    this.#waiting += 1;
    return promise;
  }

  /** Refuses the last task of the longest line. @throws QueueFullError unless that line is longer than `length` */
  #makeRoom(length: number): void {
    let longest: [string, WaitingTask[]] | undefined;
    for (const entry of this.#lines) if (entry[1].length > (longest?.[1].length ?? length)) longest = entry;
    const last = longest?.[1].at(-1);
    if (longest === undefined || last === undefined) throw new QueueFullError();
    this.#remove(longest[0], last);
    last.refuse();
  }

  #remove(caller: string, task: WaitingTask): void {
    const line = this.#lines.get(caller) ?? [];
    line.splice(line.indexOf(task), 1);
    if (line.length === 0) this.#lines.delete(caller);
    this.#waiting -= 1;
  }

  #countTurn(caller: string): void {
    this.#lastTurns.delete(caller);
    this.#lastTurns.set(caller, this.#turns);
    this.#turns += 1;
    const [oldest] = this.#lastTurns.keys();
    if (oldest !== undefined && this.#lastTurns.size > MAX_REMEMBERED) this.#lastTurns.delete(oldest);
  }

  /** The caller whose last turn is longest ago; of those without one, the one who came first. */
  #nextCaller(): string | undefined {
    let next: string | undefined;
    let nextTurn = Number.POSITIVE_INFINITY;
    for (const caller of this.#lines.keys()) {
      const turn = this.#lastTurns.get(caller) ?? -1;
      if (turn < nextTurn) [next, nextTurn] = [caller, turn];
    }
    return next;
  }

  /** Hands the place of a finished task to the next one. */
  #startNext(): void {
    const caller = this.#nextCaller();
    const task = caller === undefined ? undefined : this.#lines.get(caller)?.[0];
    if (caller === undefined || task === undefined) {
      this.#running -= 1;
      return;
    }
    this.#remove(caller, task);
    task.start();
  }
}
