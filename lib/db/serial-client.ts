import pg from "pg";

/** Returns whether a call of `query` returns a promise: it has neither a callback nor a `submit` method. */
function returnsPromise(args: readonly unknown[]): boolean {
  const [first] = args;
  const submits = typeof first === "object" && first !== null && "submit" in first;
  return !submits && typeof args.at(-1) !== "function";
}

/**
 * A connection that runs one query at a time. In a transaction, Prisma reads several relations of a row concurrently on one
 * connection. pg 8 queues such queries with a warning, and pg 9 will reject them.
 */
export class SerialQueryClient extends pg.Client {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  override query = ((...args: unknown[]) => {
    const run = () => Reflect.apply(pg.Client.prototype.query, this, args) as Promise<unknown>;
    if (!returnsPromise(args)) return run();
    const turn = this.#waiting === 0 ? run() : this.#last.then(run);
    this.#waiting += 1;
    this.#last = turn
      .catch(() => {})
      .finally(() => {
        this.#waiting -= 1;
      });
    return turn;
  }) as pg.Client["query"];
}
