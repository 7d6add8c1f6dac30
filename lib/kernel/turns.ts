import { AsyncLocalStorage } from "node:async_hooks";
import type { FairQueue } from "./fair-queue";
import { processSingleton } from "./process-singleton";

/** The place of a call among those of its caller. */
export class Turn {
  readonly #queue: FairQueue;
  #caller: string;
  /** Gives the place back; null while the call has none. */
  #leave: (() => void) | null = null;
  #isKept = false;
  #isOver = false;

  /** Has no place until `begin`. */
  constructor(queue: FairQueue, caller: string) {
    this.#queue = queue;
    this.#caller = caller;
  }

  /**
   * Waits for the caller's turn.
   * @param signal ends the wait
   * @throws QueueFullError; the reason of the signal
   */
  begin(signal?: AbortSignal): Promise<void> {
    return this.#enter({ signal });
  }

  /**
   * Makes the call one of another caller, once it is known whose it is.
   * @throws as `begin`
   */
  async moveTo(caller: string, signal?: AbortSignal): Promise<void> {
    if (caller === this.#caller) return;
    this.#giveBack();
    this.#caller = caller;
    await this.#enter({ signal });
  }

  /** Runs work without the place, and takes it again before the caller's calls that have not begun. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    if (this.#leave === null || this.#isKept) return work();
    this.#giveBack();
    try {
      return await work();
    } finally {
      await this.#enter({ continues: true });
    }
  }

  /** Runs work with the place, within work that runs aside. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.#leave !== null) return work();
    await this.#enter({ continues: true });
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  /** Runs work in the call's turn or, once the call is over, in another turn of its caller. */
  async continued<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isOver) return work();
    const turn = new Turn(this.#queue, this.#caller);
    await turn.#enter({ continues: true });
    try {
      return await withTurn(turn, work);
    } finally {
      turn.end();
    }
  }

  /** See `keepingTurn`. */
  async keeping<T>(work: () => Promise<T>): Promise<T> {
    this.#isKept = true;
    try {
      return await work();
    } finally {
      this.#isKept = false;
    }
  }

  /** Ends the wait of the caller's other calls: they would fail as this one does. */
  refuseWaiting(error: Error): void {
    this.#queue.refuseWaiting(this.#caller, error);
  }

  end(): void {
    this.#isOver = true;
    this.#giveBack();
  }

  async #enter(entry: { signal?: AbortSignal; continues?: boolean }): Promise<void> {
    if (this.#isOver) return;
    const turn = this.#queue.enter(this.#caller, entry);
    const leave = turn instanceof Promise ? await turn : turn;
    // Work that nobody waited for may come back when the call is over, or has its place again.
    if (this.#isOver || this.#leave !== null) leave();
    else this.#leave = leave;
  }

  #giveBack(): void {
    this.#leave?.();
    this.#leave = null;
  }
}

// One for all bundles of the process.
const turns = processSingleton("turns", () => new AsyncLocalStorage<Turn>());

/** The turn of the call that runs this; undefined outside of one. */
export function currentTurn(): Turn | undefined {
  return turns.get().getStore();
}

/** Runs the work of a call, which has that turn. */
export function withTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  return turns.get().run(turn, work);
}

/**
 * Runs work that does not go aside, such as a transaction: the caller's other calls may wait for what it holds, and it must not wait
 * for them.
 */
export function keepingTurn<T>(work: () => Promise<T>): Promise<T> {
  return currentTurn()?.keeping(work) ?? work();
}

/**
 * Runs work that waits for something else than the database: bytes that travel, another thread, process or server. While it does,
 * the call that it belongs to keeps none of its caller's other calls waiting.
 */
export function aside<T>(work: () => Promise<T>): Promise<T> {
  return currentTurn()?.aside(work) ?? work();
}
