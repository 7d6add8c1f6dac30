/** The specification's interval between two looks at the session, in milliseconds. */
export const CHECK_INTERVAL_MS = 60_000;

export type SessionClockOptions = {
  /** When the session ends; Unix seconds by the server's clock. */
  exp: number;
  /** How long a session lasts that nobody uses; seconds. */
  idleSeconds: number;
  /** The present by the server's clock; Unix seconds. */
  now: () => number;
  /** Asks the server to move the session's end; answers its new end, or null where that did not work. */
  refresh: () => Promise<number | null>;
  /** The end that another tab has noted, where it is known. */
  notedExp: () => Promise<number | undefined>;
  /** The session has moved on, by this tab. */
  onRenewed: (exp: number) => void;
  /** The session is over. */
  onExpired: () => void;
};

/** Follows one session in one tab: when to keep it alive and when it is over. */
export class SessionClock {
  readonly #options: SessionClockOptions;
  #exp: number;
  #lastActivity = 0;
  #atLimit = false;
  #over = false;
  #checking: Promise<void> | null = null;

  constructor(options: SessionClockOptions) {
    this.#options = options;
    this.#exp = options.exp;
  }

  /** The person has done something. */
  noteActivity(): void {
    this.#lastActivity = this.#options.now();
  }

  /** Another tab has kept the session alive. */
  noteRenewal(exp: number): void {
    this.#exp = Math.max(this.#exp, exp);
  }

  /**
   * Compares the session's end with the present: past it, the session is over; with less than half of the idle time
   * left and a person who was active since then, it is refreshed.
   */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #check(): Promise<void> {
    const { idleSeconds, now, notedExp, refresh, onRenewed, onExpired } = this.#options;
    if (this.#over) return;
    if (now() >= this.#exp) {
      // A tab that slept has not heard of it when another one kept the session alive.
      this.noteRenewal((await notedExp()) ?? 0);
      if (now() < this.#exp) return;
      this.#over = true;
      onExpired();
      return;
    }
    const halfway = this.#exp - idleSeconds / 2;
    if (this.#atLimit || now() <= halfway || this.#lastActivity <= halfway) return;
    const renewed = await refresh();
    if (renewed === null) return;
    // At the session's absolute limit its end no longer moves: asking again would change nothing.
    this.#atLimit = renewed <= this.#exp;
    this.noteRenewal(renewed);
    onRenewed(renewed);
  }
}
