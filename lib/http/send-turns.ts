/** What all downloads together write in one turn of the event loop, in bytes, if other work takes no time. */
export const MIN_TURN_BYTES = 2 * 1024 * 1024;
/** The most that they write in one turn: 5 to 15 ms of the thread. */
export const MAX_TURN_BYTES = 16 * 1024 * 1024;
/** What they write for each millisecond since the turn before, so that a busy console goes on sending. */
const BYTES_PER_MS = 1024 * 1024;

interface Waiting {
  bytes: number;
  begin(): void;
}

/**
 * Shares the event loop between downloads and everything else. In each turn, the downloads that have waited longest write a
 * limited amount: a client that takes bytes as fast as they are written keeps neither other clients nor pages waiting.
 */
export class SendTurns {
  readonly #waiting: Waiting[] = [];
  readonly #now: () => number;
  #left = MIN_TURN_BYTES;
  #begun = 0;
  #isNextSet = false;

  /** @param now a clock in milliseconds */
  constructor(now = () => performance.now()) {
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
    this.#left = Math.min(MAX_TURN_BYTES, Math.max(MIN_TURN_BYTES, (now - this.#begun) * BYTES_PER_MS));
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
