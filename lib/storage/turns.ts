/**
 * Runs the works of one name one after another, even if an earlier one failed. Works of different names run at the same
 * time.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const turn = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}
