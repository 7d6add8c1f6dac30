import pg from "pg";
import { afterResponsive } from "@/lib/kernel/timeout";
import { mayUseReserve } from "./reserve";
import { type SerialClientConfig, SerialQueryClient } from "./serial-client";

/** The settings of a pool. */
export interface ResponsivePoolConfig extends pg.PoolConfig, SerialClientConfig {
  /** The time limit of waiting for a connection in milliseconds, without time in which this process is blocked. */
  connectTimeoutMs: number;
  /** The connections that only work of `withReserve` takes when all others are in use; none by default. */
  reserved?: number;
}

type ConnectCallback = Parameters<pg.Pool["connect"]>[0];

/** The callers that wait for a connection, which the types of pg do not declare. */
interface PoolInternals {
  _pendingQueue: { callback: unknown }[];
}

/** Removes what waits. */
function withdraw<T>(line: T[], isIt: (item: T) => boolean): void {
  const place = line.findIndex(isIt);
  if (place >= 0) line.splice(place, 1);
}

/**
 * A pool whose limit of waiting for a connection is not reached because this process was blocked, unlike that of pg
 * (`connectionTimeoutMillis`): on a busy machine, a database that answers would look unavailable. It keeps connections in reserve
 * (`withReserve`).
 */
export class ResponsivePool extends pg.Pool {
  declare options: pg.PoolOptions & ResponsivePoolConfig;
  /** What waits because all connections that it may take are in use. */
  readonly #line: (() => void)[] = [];
  /** The connections in use, or being opened, that are not of the reserve. */
  #unreserved = 0;
  readonly #unreservedClients = new WeakSet<pg.PoolClient>();

  constructor(config: ResponsivePoolConfig) {
    super({ ...config, Client: SerialQueryClient } as pg.PoolConfig);
    this.on("release", (_error, client) => {
      if (this.#unreservedClients.delete(client)) this.#giveBack();
    });
  }

  /** How much waits for a connection. */
  get allWaiting(): number {
    return this.waitingCount + this.#line.length;
  }

  override connect = ((callback?: ConnectCallback) => {
    if (!callback) {
      return new Promise<pg.PoolClient>((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    }
    const isOfReserve = mayUseReserve();
    let isOver = false;
    const connected: ConnectCallback = (error, client, release) => {
      if (client && !isOfReserve) this.#unreservedClients.add(client);
      else if (!isOfReserve) this.#giveBack();
      if (isOver) {
        // Of a connection that was opened too late for this caller.
        release();
        return;
      }
      cancel();
      callback(error, client, release);
    };
    const begin = () => Reflect.apply(pg.Pool.prototype.connect, this, [connected]);
    const cancel = afterResponsive(this.options.connectTimeoutMs, () => {
      isOver = true;
      withdraw(this.#line, (item) => item === begin);
      const waiting = (this as unknown as PoolInternals)._pendingQueue;
      const length = waiting.length;
      withdraw(waiting, (item) => item.callback === connected);
      if (waiting.length < length && !isOfReserve) this.#giveBack();
      callback(new Error("timeout exceeded when trying to connect"), undefined, () => {});
    });
    if (isOfReserve) return begin();
    const { max, reserved = 0 } = this.options;
    if (this.#unreserved >= max - reserved) {
      this.#line.push(begin);
      return;
    }
    this.#unreserved += 1;
    return begin();
  }) as pg.Pool["connect"];

  /** Gives the place of a connection to what waits the longest. */
  #giveBack(): void {
    const next = this.#line.shift();
    // After the connection is back in the pool.
    if (next) queueMicrotask(next);
    else this.#unreserved -= 1;
  }
}
