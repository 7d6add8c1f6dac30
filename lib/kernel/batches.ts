/** Writes items one batch after another: items that come while a batch is being written are written together after it. */
export class Batches<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #next: { items: Item[]; written: Promise<void> } | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the item is written. @throws what the writing of its batch threw */
  add(item: Item): Promise<void> {
    if (this.#next) {
      this.#next.items.push(item);
      return this.#next.written;
    }
    const items = [item];
    const written = this.#last.then(() => {
      this.#next = null;
      return this.#write(items);
    });
    this.#next = { items, written };
    this.#last = written.catch(() => {});
    return written;
  }
}
