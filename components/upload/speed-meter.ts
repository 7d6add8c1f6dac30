/** How fast older measurements fade, in milliseconds: after so long they count for a third. */
const MEMORY_MS = 5_000;
/** The shortest stretch that is measured, in milliseconds: sockets swallow bytes in gulps. */
const STRETCH_MS = 400;
/** So much has to be measured before there is something to tell, in milliseconds. */
const WARM_UP_MS = 1_200;

/** Tells how fast something goes, smoothed so that the figure can be read. */
export class SpeedMeter {
  #rate = 0;
  #measuredMs = 0;
  #from: { at: number; total: number } | null = null;

  /**
   * Notes how much has gone by.
   *
   * @param total bytes so far, never fewer than before
   * @param now milliseconds of a clock that does not jump
   */
  note(total: number, now: number): void {
    if (this.#from === null) {
      this.#from = { at: now, total };
      return;
    }
    const elapsed = now - this.#from.at;
    if (elapsed < STRETCH_MS) return;
    const current = ((total - this.#from.total) / elapsed) * 1_000;
    // An exponential average; at the beginning a plain one, or the first measurement would weigh too much.
    const weight = Math.max(1 - Math.exp(-elapsed / MEMORY_MS), elapsed / (this.#measuredMs + elapsed));
    this.#rate += weight * (current - this.#rate);
    this.#measuredMs += elapsed;
    this.#from = { at: now, total };
  }

  /** Begins anew after a break; what was measured before it no longer says anything. */
  reset(): void {
    this.#rate = 0;
    this.#measuredMs = 0;
    this.#from = null;
  }

  /** Bytes per second; null as long as too little is known. */
  get bytesPerSecond(): number | null {
    return this.#measuredMs < WARM_UP_MS ? null : this.#rate;
  }
}
