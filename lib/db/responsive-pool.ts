import pg from "pg";
import { afterResponsive } from "@/lib/kernel/timeout";
import { type SerialClientConfig, SerialQueryClient } from "./serial-client";

/** The settings of a pool. */
export interface ResponsivePoolConfig extends pg.PoolConfig, SerialClientConfig {
  /** The time limit of waiting for a connection in milliseconds, without time in which this process is blocked. */
  connectTimeoutMs: number;
}

type ConnectCallback = Parameters<pg.Pool["connect"]>[0];

/** The callers that wait for a connection, which the types of pg do not declare. */
interface PoolInternals {
  _pendingQueue: { callback: unknown }[];
}

/**
 * A pool whose limit of waiting for a connection is not reached because this process was blocked, unlike that of pg
 * (`connectionTimeoutMillis`): on a busy machine, a database that answers would look unavailable.
 */
export class ResponsivePool extends pg.Pool {
  declare options: pg.PoolOptions & ResponsivePoolConfig;

  constructor(config: ResponsivePoolConfig) {
    super({ ...config, Client: SerialQueryClient } as pg.PoolConfig);
  }

  override connect = ((callback?: ConnectCallback) => {
    if (!callback) {
      return new Promise<pg.PoolClient>((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    }
    let isOver = false;
    const connected: ConnectCallback = (error, client, release) => {
      if (isOver) {
        // Of a connection that was opened too late for this caller.
        release();
        return;
      }
      cancel();
      callback(error, client, release);
    };
    const cancel = afterResponsive(this.options.connectTimeoutMs, () => {
      isOver = true;
      const waiting = (this as unknown as PoolInternals)._pendingQueue;
      const place = waiting.findIndex((item) => item.callback === connected);
      if (place >= 0) waiting.splice(place, 1);
      callback(new Error("timeout exceeded when trying to connect"), undefined, () => {});
    });
    return Reflect.apply(pg.Pool.prototype.connect, this, [connected]);
  }) as pg.Pool["connect"];
}
