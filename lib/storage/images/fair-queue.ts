/** A caller of a FairQueue would have to wait behind too many others. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

/** How many works may wait. */
export interface QueueLimits {
  total: number;
  perCaller: number;
}

/** Runs one work at a time. Callers take turns, so that each waits for at most one work of every other caller. */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** Who is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #total = 0;
  #running = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a work when it is its caller's turn.
   * @param signal gives up the place in the queue; a work that runs has to look at it itself
   * @throws QueueFullError; the signal's reason; whatever the work throws
   */
  async run<T>(caller: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running) await this.#turn(caller, signal);
    this.#running = true;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(caller: string, signal: AbortSignal | undefined): Promise<void> {
    const line = this.#waiting.get(caller) ?? [];
    if (this.#total >= this.#limits.total || line.length >= this.#limits.perCaller) throw new QueueFullError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#remove(caller, turn);
      reject(signal?.reason);
    };
    const turn = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    signal?.addEventListener("abort", leave, { once: true });
    line.push(turn);
    this.#waiting.set(caller, line);
    this.#total += 1;
    return promise;
  }

  #remove(caller: string, turn: () => void): void {
    const line = this.#waiting.get(caller) ?? [];
    line.splice(line.indexOf(turn), 1);
    if (line.length === 0) this.#waiting.delete(caller);
    this.#total -= 1;
  }

  /** Hands the place over to the next caller, who then goes to the end of the round. */
  #next(): void {
    const [caller, line] = this.#waiting.entries().next().value ?? [];
    const turn = line?.[0];
    if (caller === undefined || line === undefined || turn === undefined) {
      this.#running = false;
      return;
    }
    this.#remove(caller, turn);
    if (this.#waiting.delete(caller)) this.#waiting.set(caller, line);
    turn();
  }
}
