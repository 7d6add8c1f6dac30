/** Time constant of the exponential average, in milliseconds: older measurements count for a third. */
const TIME_CONSTANT_MS = 5_000;
/** The shortest measured interval, in milliseconds, because sockets accept data in bursts. */
const MIN_INTERVAL_MS = 400;
/** Minimum measured time before a speed is reported, in milliseconds. */
const WARM_UP_MS = 1_200;

/** Measures a transfer speed, smoothed for display. */
export class SpeedMeter {
  #rate = 0;
  #measuredMs = 0;
  #from: { at: number; total: number } | null = null;

  /**
   * Records the progress.
   *
   * @param total bytes so far, never fewer than before
   * @param now milliseconds of a monotonic clock
   */
  record(total: number, now: number): void {
    if (this.#from === null) {
      this.#from = { at: now, total };
      return;
    }
    const elapsed = now - this.#from.at;
    if (elapsed < MIN_INTERVAL_MS) return;
    const current = ((total - this.#from.total) / elapsed) * 1_000;
    // An exponential average; initially a plain one, because the first measurement would weigh too much.
    const weight = Math.max(1 - Math.exp(-elapsed / TIME_CONSTANT_MS), elapsed / (this.#measuredMs + elapsed));
    this.#rate += weight * (current - this.#rate);
    this.#measuredMs += elapsed;
    this.#from = { at: now, total };
  }

  /** Starts again after an interruption, because earlier measurements are no longer valid. */
  reset(): void {
    this.#rate = 0;
    this.#measuredMs = 0;
    this.#from = null;
  }

  /** Bytes per second; null until enough was measured. */
  get bytesPerSecond(): number | null {
    return this.#measuredMs < WARM_UP_MS ? null : this.#rate;
  }
}
