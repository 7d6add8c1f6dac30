/** What all downloads together write in one turn of the event loop while there is other work, in bytes: one block. */
export const BUSY_TURN_BYTES = 128 * 1024;
/** The most that they write in one turn otherwise: about a millisecond of the thread. */
export const MAX_TURN_BYTES = 2 * 1024 * 1024;
/** What they write for each millisecond since the turn before. */
const BYTES_PER_MS = 1024 * 1024;

interface Waiting {
  bytes: number;
  begin(): void;
}

/**
 * Shares the event loop between downloads and everything else. In each turn, the downloads that have waited longest write a
 * limited amount: a client that takes bytes as fast as they are written keeps neither other clients nor pages waiting.
 *
 * A page takes dozens of turns, and Node accepts one new connection in each (libuv pull request 3696), so that turns are short while
 * there is such work.
 */
export class SendTurns {
  readonly #waiting: Waiting[] = [];
  readonly #now: () => number;
  readonly #hasOtherWork: () => boolean;
  #left = BUSY_TURN_BYTES;
  #begun = 0;
  #isNextSet = false;

  /**
   * @param options.hasOtherWork whether the process has requests that are not downloads, or new connections; asked once in each turn
   * @param options.now a clock in milliseconds
   */
  constructor({ hasOtherWork, now = () => performance.now() }: { hasOtherWork(): boolean; now?(): number }) {
    this.#hasOtherWork = hasOtherWork;
    this.#now = now;
  }

  /** Waits until a download may write its next bytes. */
  take(bytes: number): Promise<void> | undefined {
    this.#setNext();
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left -= bytes;
      return;
    }
    return new Promise((begin) => this.#waiting.push({ bytes, begin }));
  }

  #setNext(): void {
    if (this.#isNextSet) return;
    this.#isNextSet = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    this.#isNextSet = false;
    const now = this.#now();
    const most = this.#hasOtherWork() ? BUSY_TURN_BYTES : MAX_TURN_BYTES;
    this.#left = Math.min(most, Math.max(BUSY_TURN_BYTES, (now - this.#begun) * BYTES_PER_MS));
    this.#begun = now;
    while (this.#left > 0) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#left -= next.bytes;
      next.begin();
    }
    this.#setNext();
  }
}
