/** Pages that are rendered at the same time: of all callers, and of one. Rendering occupies the event loop. */
export const MAX_RENDERED = 8;
export const MAX_RENDERED_PER_CALLER = 2;
/** Requests of one caller that wait for their turn. A page of a list asks for a few dozen pages in advance. */
export const MAX_WAITING_PER_CALLER = 128;
/** When a turn goes to the next request although the page is still being rendered, in milliseconds: it waits for something else. */
export const MAX_TURN_MS = 5_000;

type Start = (end: () => void) => void;

/**
 * Shares the rendering of pages between callers. Each has few pages rendered at a time, and callers that wait take turns, so that
 * one who asks for many pages delays nobody else by more than a few renderings.
 */
export class RenderTurns {
  readonly #running = new Map<string, number>();
  /** The requests that wait, by caller. The caller whose turn is next comes first. */
  readonly #waiting = new Map<string, Start[]>();
  #rendered = 0;

  /**
   * Calls `start` when it is the caller's turn, with a function that ends the turn.
   * @returns false if too many requests of the caller wait; then it is never called
   */
  take(caller: string, start: Start): boolean {
    if (this.#mayStart(caller)) {
      this.#begin(caller, start);
      return true;
    }
    const queue = this.#waiting.get(caller) ?? [];
    if (queue.length >= MAX_WAITING_PER_CALLER) return false;
    queue.push(start);
    this.#waiting.set(caller, queue);
    return true;
  }

  #mayStart(caller: string): boolean {
    return this.#rendered < MAX_RENDERED && (this.#running.get(caller) ?? 0) < MAX_RENDERED_PER_CALLER;
  }

  #begin(caller: string, start: Start): void {
    this.#rendered += 1;
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#rendered -= 1;
      const left = (this.#running.get(caller) ?? 1) - 1;
      if (left === 0) this.#running.delete(caller);
      else this.#running.set(caller, left);
      // Requests that arrived during the turn, such as a health check, are answered first.
      setImmediate(() => this.#beginNext());
    };
    const timer = setTimeout(end, MAX_TURN_MS);
    timer.unref();
    start(end);
  }

  #beginNext(): void {
    for (const [caller, queue] of this.#waiting) {
      if (!this.#mayStart(caller)) continue;
      const start = queue.shift();
      this.#waiting.delete(caller);
      if (queue.length > 0) this.#waiting.set(caller, queue);
      if (start) this.#begin(caller, start);
      return;
    }
  }
}
