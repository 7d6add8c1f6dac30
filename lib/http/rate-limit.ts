import "server-only";
import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { databasePool } from "@/lib/db/client";
import { ApiError } from "@/lib/kernel/errors";

/** At most `points` points in `seconds` seconds. */
export interface RateLimit {
  points: number;
  seconds: number;
}

const limiters = new Map<string, RateLimiterPostgres>();

/** A counter in PostgreSQL, so that a limit holds over all instances. The table comes with the migrations. */
export function rateLimiter(name: string, limit: RateLimit): RateLimiterPostgres {
  let limiter = limiters.get(name);
  if (!limiter) {
    limiter = new RateLimiterPostgres({
      storeClient: databasePool(),
      storeType: "pool",
      tableName: "RateLimit",
      tableCreated: true,
      keyPrefix: name,
      points: limit.points,
      duration: limit.seconds,
      // Each limiter would set a timer of its own, without an end, to delete all of the table's expired rows: the
      // sweep does it.
      clearExpiredByTimeout: false,
    });
    limiters.set(name, limiter);
  }
  return limiter;
}

/**
 * A limiter's key for what people typed: it fits the column whatever its length, and keeps e-mail addresses out of a
 * table of counters.
 */
export function limiterKey(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** @throws ApiError rate_limited with the seconds to wait */
export async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new ApiError("rate_limited", { params: { seconds }, retryAfter: seconds });
  }
}
