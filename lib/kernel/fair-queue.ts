/** The queue has no room for another task of the caller. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";

  /** @param isOfCaller whether the caller's own tasks fill the room */
  constructor(readonly isOfCaller: boolean) {
    super();
  }
}

export interface QueueLimits {
  running: number;
  /** Of one caller; as many as `running` by default. */
  runningPerCaller?: number;
  waiting: number;
  waitingPerCaller: number;
}

/** How a task enters the queue. */
interface Entry {
  /** Removes the task from the queue while it waits; a running task has to observe it itself. */
  signal?: AbortSignal;
  /** Whether the task has run before and goes on: it comes before the caller's others, and no other task takes its place. */
  continues?: boolean;
}

interface WaitingTask {
  continues: boolean;
  start(): void;
  refuse(error: Error): void;
}

/** The callers whose last turn is remembered. */
const MAX_REMEMBERED = 1_000;
/** Tasks that take less than this count as equally long, in milliseconds. */
const COST_UNIT_MS = 500;
/** The number of units that a caller can be behind the others. Unused units beyond that are lost. */
const MAX_CREDIT = 10;

/** What a caller has used of the queue. */
interface Use {
  /** In units of time, on the clock of all callers. */
  cost: number;
  /** The number of the last turn. */
  lastTurn: number;
}

/**
 * Runs a limited number of tasks at a time. Callers share the time of the queue: the next task is of the caller whose tasks took the
 * least, and of callers with equally much, of the one whose last turn is longest ago. A caller with short tasks therefore waits for one
 * task at most, however many callers have long ones. In a full queue, a task of a caller with fewer tasks takes the place of
 * the last one of the caller with the most.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** The waiting tasks of each caller. */
  readonly #lines = new Map<string, WaitingTask[]>();
  /** What each caller has used, the one with the latest turn last. */
  readonly #uses = new Map<string, Use>();
  readonly #now: () => number;
  /** What the caller with the latest turn had used before it. */
  #clock = 0;
  #turns = 0;
  #waiting = 0;
  #running = 0;
  /** The number of tasks of each caller that run. */
  readonly #runningOf = new Map<string, number>();

  /** @param now the time in milliseconds */
  constructor(limits: QueueLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
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
    const turn = this.enter(caller, { signal });
    const end = turn instanceof Promise ? await turn : turn;
    try {
      return await task();
    } finally {
      end();
    }
  }

  /**
   * Takes a place when it is the caller's turn: at once, or after a wait.
   * @returns gives the place back; called once
   * @throws QueueFullError; the reason of the signal
   */
  enter(caller: string, entry: Entry = {}): (() => void) | Promise<() => void> {
    entry.signal?.throwIfAborted();
    if (!this.#mayRun(caller)) return this.#wait(caller, entry).then(() => this.#beginTurn(caller));
    this.#take(caller);
    return this.#beginTurn(caller);
  }

  /** Refuses the waiting tasks of a caller. */
  refuseWaiting(caller: string, error: Error): void {
    for (const task of [...(this.#lines.get(caller) ?? [])]) {
      this.#remove(caller, task);
      task.refuse(error);
    }
  }

  #mayRun(caller: string): boolean {
    const { running, runningPerCaller = running } = this.#limits;
    return this.#running < running && (this.#runningOf.get(caller) ?? 0) < runningPerCaller;
  }

  #take(caller: string): void {
    this.#running += 1;
    this.#runningOf.set(caller, (this.#runningOf.get(caller) ?? 0) + 1);
  }

  #giveBack(caller: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(caller) ?? 1) - 1;
    if (left === 0) this.#runningOf.delete(caller);
    else this.#runningOf.set(caller, left);
    this.#startNext();
  }

  async #wait(caller: string, { signal, continues }: Entry): Promise<void> {
    const length = this.#lines.get(caller)?.length ?? 0;
    if (!continues) {
      if (length >= this.#limits.waitingPerCaller) throw new QueueFullError(true);
      if (this.#waiting >= this.#limits.waiting) this.#makeRoom(length + 1);
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#remove(caller, task);
      reject(signal?.reason);
    };
    const task: WaitingTask = {
      continues: continues ?? false,
      start: () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      },
      refuse: (error) => {
        signal?.removeEventListener("abort", leave);
        reject(error);
      },
    };
    signal?.addEventListener("abort", leave, { once: true });
    const line = this.#lines.get(caller) ?? [];
    if (continues) line.unshift(task);
    else line.push(task);
    this.#lines.set(caller, line);
    this.#waiting += 1;
    await promise;
  }

  /** Refuses the last task of the longest line that has one to refuse: tasks that continue stand first. @throws QueueFullError unless that line is longer than `length` */
  #makeRoom(length: number): void {
    let longest: [string, WaitingTask[]] | undefined;
    for (const entry of this.#lines) {
      if (entry[1].length > (longest?.[1].length ?? length) && !entry[1].at(-1)?.continues) longest = entry;
    }
    const last = longest?.[1].at(-1);
    if (longest === undefined || last === undefined) throw new QueueFullError(length > 1);
    this.#remove(longest[0], last);
    last.refuse(new QueueFullError(true));
  }

  #remove(caller: string, task: WaitingTask): void {
    const line = this.#lines.get(caller) ?? [];
    line.splice(line.indexOf(task), 1);
    if (line.length === 0) this.#lines.delete(caller);
    this.#waiting -= 1;
  }

  /** The units that a caller has used, but at least enough that the others soon catch up. */
  #costOf(caller: string): number {
    return Math.max(this.#uses.get(caller)?.cost ?? 0, this.#clock - MAX_CREDIT);
  }

  /** @returns ends the turn */
  #beginTurn(caller: string): () => void {
    const begin = this.#now();
    const cost = this.#costOf(caller);
    this.#clock = Math.max(this.#clock, cost);
    this.#uses.delete(caller);
    this.#uses.set(caller, { cost, lastTurn: this.#turns });
    this.#turns += 1;
    const [oldest] = this.#uses.keys();
    if (oldest !== undefined && this.#uses.size > MAX_REMEMBERED) this.#uses.delete(oldest);
    return () => {
      const use = this.#uses.get(caller);
      if (use) use.cost += Math.floor((this.#now() - begin) / COST_UNIT_MS);
      this.#giveBack(caller);
    };
  }

  /** Of the callers who may run another task, the one who has used the least; of those, the one whose last turn is longest ago or who came first. */
  #nextCaller(): string | undefined {
    let next: { caller: string; cost: number; turn: number } | undefined;
    for (const caller of this.#lines.keys()) {
      if (!this.#mayRun(caller)) continue;
      const [cost, turn] = [this.#costOf(caller), this.#uses.get(caller)?.lastTurn ?? -1];
      if (!next || cost < next.cost || (cost === next.cost && turn < next.turn)) next = { caller, cost, turn };
    }
    return next?.caller;
  }

  /** Gives a place that has become free to the next task. */
  #startNext(): void {
    const caller = this.#nextCaller();
    const task = caller === undefined ? undefined : this.#lines.get(caller)?.[0];
    if (caller === undefined || task === undefined) return;
    this.#remove(caller, task);
    this.#take(caller);
    task.start();
  }
}
