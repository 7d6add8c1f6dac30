import pg from "pg";
import { afterResponsive } from "@/lib/kernel/timeout";
import { inStatementSpan } from "./statement-span";

/** Returns whether a call of `query` returns a promise: it has neither a callback nor a `submit` method. */
export function returnsPromise(args: readonly unknown[]): boolean {
  const [first] = args;
  const submits = typeof first === "object" && first !== null && "submit" in first;
  return !submits && typeof args.at(-1) !== "function";
}

/** The settings of a connection. */
export interface SerialClientConfig extends pg.ClientConfig {
  /** Whether statements may be prepared; they may by default. */
  preparesStatements?: boolean;
  /**
   * The time limit of connecting in milliseconds, without time in which this process is blocked; none by default. pg's own
   * `connectionTimeoutMillis` also ends connections that were opened while the process was blocked.
   */
  connectTimeoutMs?: number;
}

/** Removes the name of a prepared statement. Libraries give one to theirs too. */
function unprepared(args: unknown[]): unknown[] {
  const [first, ...rest] = args;
  if (typeof first !== "object" || first === null || "submit" in first) return args;
  return [{ ...first, name: undefined }, ...rest];
}

/**
 * A connection that runs one query at a time. In a transaction, Prisma reads several relations of a row concurrently on one
 * connection, and the pool sends its first query while a listener of new connections still waits for its own. pg 8 queues
 * such queries with a warning, and pg 9 will reject them.
 */
export class SerialQueryClient extends pg.Client {
  readonly #prepares: boolean;
  readonly #connectTimeoutMs: number | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(config?: string | SerialClientConfig) {
    super(config);
    this.#prepares = typeof config !== "object" || config.preparesStatements !== false;
    this.#connectTimeoutMs = typeof config === "object" ? config.connectTimeoutMs : undefined;
  }

  override connect = ((callback?: (error: Error | null) => void) => {
    if (this.#connectTimeoutMs === undefined) return Reflect.apply(pg.Client.prototype.connect, this, [callback]);
    const cancel = afterResponsive(this.#connectTimeoutMs, () =>
      this.connection.stream.destroy(new Error("Connection terminated due to connection timeout")),
    );
    if (!callback) return (Reflect.apply(pg.Client.prototype.connect, this, []) as Promise<unknown>).finally(cancel);
    const connected = (...args: [Error | null]) => {
      cancel();
      callback(...args);
    };
    return Reflect.apply(pg.Client.prototype.connect, this, [connected]);
  }) as pg.Client["connect"];

  override query = ((...given: unknown[]) => {
    const args = this.#prepares ? given : unprepared(given);
    const run = () => Reflect.apply(pg.Client.prototype.query, this, args) as Promise<unknown>;
    if (!returnsPromise(args)) {
      if (this.#waiting === 0) return run();
      void this.#last.then(run);
      // pg returns the object of a query that has a `submit` method, and nothing for one with a callback.
      return typeof args.at(-1) === "function" ? undefined : args[0];
    }
    const turn = inStatementSpan(args[0], () => (this.#waiting === 0 ? run() : this.#last.then(run)));
    this.#waiting += 1;
    const done = () => {
      this.#waiting -= 1;
    };
    this.#last = turn.then(done, done);
    return turn;
  }) as pg.Client["query"];
}
