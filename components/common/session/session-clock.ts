/** The interval of the session check, as specified. */
export const CHECK_INTERVAL_MS = 60_000;

type SessionClockOptions = {
  /** When the session ends, in Unix seconds of the server's clock. */
  exp: number;
  /** How long an unused session lasts, in seconds. */
  idleSeconds: number;
  /** The current time in Unix seconds of the server's clock. */
  now: () => number;
  /** Asks the server to extend the session; resolves to its new end, or to null if that failed. */
  refresh: () => Promise<number | null>;
  /** The session's end that another tab has stored, if any. */
  notedExp: () => Promise<number | undefined>;
  /** Called when this tab has extended the session. */
  onRenewed: (exp: number) => void;
  /** Called when the session has ended. */
  onExpired: () => void;
};

/** Tracks one session in one tab: when to refresh it and when it has ended. */
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

  /** Records user activity. */
  noteActivity(): void {
    this.#lastActivity = this.#options.now();
  }

  /** Records that another tab has refreshed the session. */
  noteRenewal(exp: number): void {
    this.#exp = Math.max(this.#exp, exp);
  }

  /**
   * Checks the session: if its end has passed, it has ended; if less than half of the idle time is left and the user
   * has been active since the last refresh, it is refreshed.
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
      // A suspended tab missed the message of a tab that refreshed the session.
      this.noteRenewal((await notedExp()) ?? 0);
      if (now() < this.#exp) return;
      this.#over = true;
      onExpired();
      return;
    }
    const refreshAfter = this.#exp - idleSeconds / 2;
    if (this.#atLimit || now() <= refreshAfter || this.#lastActivity <= refreshAfter) return;
    const renewed = await refresh();
    if (renewed === null) return;
    // At the absolute limit of the session, its end no longer changes, so another refresh is useless.
    this.#atLimit = renewed <= this.#exp;
    this.noteRenewal(renewed);
    onRenewed(renewed);
  }
}
