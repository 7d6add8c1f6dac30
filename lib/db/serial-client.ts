import pg from "pg";

/** A query that brings its own way of being run, or that calls back instead of promising. */
function isPromised(args: readonly unknown[]): boolean {
  const [first] = args;
  const submits = typeof first === "object" && first !== null && "submit" in first;
  return !submits && typeof args.at(-1) !== "function";
}

/**
 * A connection that is handed one query after another. Prisma reads several relations of a row at once, in a
 * transaction on one connection, for which pg 8 queues them with a warning and pg 9 will not.
 */
export class OneQueryClient extends pg.Client {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  override query = ((...args: unknown[]) => {
    const run = () => Reflect.apply(pg.Client.prototype.query, this, args) as Promise<unknown>;
    if (!isPromised(args)) return run();
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
