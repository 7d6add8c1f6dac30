import "server-only";
import { createHash } from "node:crypto";
import { type Db, db } from "@/lib/db/client";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { ApiError } from "@/lib/kernel/errors";
import { metrics } from "@/lib/kernel/metrics";

/** At most `points` points in `seconds` seconds. */
export interface RateLimit {
  points: number;
  seconds: number;
}

/**
 * A counter's key for what people typed: it fits the column whatever its length, and keeps e-mail addresses out of a
 * table of counters.
 */
export function limiterKey(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Counts a rejected call. */
function rateLimited(limit: string, msBeforeNext: number): ApiError {
  metrics.get().rateLimited.inc({ limit });
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new ApiError("rate_limited", { params: { seconds }, retryAfter: seconds });
}

/** A counter of one key in PostgreSQL, so that its limit holds over all instances. */
export interface Counter {
  /** Of the limit. */
  name: string;
  limit: RateLimit;
  key: string;
}

function rowKey({ name, key }: Counter): string {
  return `${name}:${key}`;
}

function expiry({ limit }: Counter, now: number): number {
  return now + limit.seconds * 1000;
}

/** Adds points to the rows that are inserted. A counter that has expired begins again. */
function addPoints(rows: Sql, now: number, restarts: Sql = sql`false`): Sql {
  return sql`
    INSERT INTO "RateLimit" AS r ("key", "points", "expire") ${rows}
    ON CONFLICT ("key") DO UPDATE SET
      "points" = CASE WHEN r."expire" <= ${now} OR ${restarts} THEN EXCLUDED."points" ELSE r."points" + EXCLUDED."points" END,
      "expire" = CASE WHEN r."expire" <= ${now} OR ${restarts} THEN EXCLUDED."expire" ELSE r."expire" END`;
}

const toRow = (counter: Counter, points: number, now: number) =>
  sql`(${rowKey(counter)}, ${points}::int, ${expiry(counter, now)}::bigint)`;

/**
 * Counts a call.
 * @param from a transaction, if only its commit counts
 * @throws ApiError rate_limited with the seconds to wait
 */
export async function consume(counter: Counter, from: Db = db): Promise<void> {
  const now = Date.now();
  const [counted] = await queryRows<{ points: number; expire: bigint }>(
    from,
    sql`${addPoints(sql`VALUES ${toRow(counter, 1, now)}`, now)} RETURNING "points", "expire"`,
    { prepared: true },
  );
  const { points, expire } = counted as NonNullable<typeof counted>;
  if (points > counter.limit.points) throw rateLimited(counter.name, Number(expire) - now);
}

/** Until when one of several counters allows nothing more; null if all do. */
export async function usedUpUntil(counters: readonly Counter[]): Promise<Date | null> {
  const rows = counters.map((counter) => sql`(${rowKey(counter)}, ${counter.limit.points}::int)`);
  const [row] = await queryRows<{ expire: bigint | null }>(
    db,
    sql`
      SELECT max(r."expire") AS "expire" FROM "RateLimit" r JOIN (VALUES ${join(rows)}) v("key", "limit") ON v."key" = r."key"
      WHERE r."points" >= v."limit" AND r."expire" > ${Date.now()}`,
  );
  return row?.expire ? new Date(Number(row.expire)) : null;
}

/** Counts something at several counters that has been done, whether or not their limits allow it. */
export async function countAll(counters: readonly Counter[], tx: Db): Promise<void> {
  const now = Date.now();
  await queryRows(tx, addPoints(sql`VALUES ${join(counters.map((counter) => toRow(counter, 1, now)))}`, now));
}

/**
 * Counts a call at several counters by one statement: at the first one and, unless `mark` is set, at the others, in their
 * order. The counters after an exceeded one do not count the call.
 * @param mark a counter that is set for callers who only the first counter limits
 * @returns whether `mark` is set
 * @throws ApiError rate_limited with the seconds to wait
 */
export async function consumeInOrder(first: Counter, mark: Counter, others: readonly Counter[]): Promise<boolean> {
  const now = Date.now();
  const counters = [first, ...others];
  const name = (index: number) => raw(`"counted${index}"`);
  const steps = counters.map((counter, index) => {
    const row = sql`SELECT ${rowKey(counter)}, 1, ${expiry(counter, now)}::bigint`;
    const before = counters[index - 1];
    // Each step reads the one before, so that all calls lock the counters in the same order.
    const allowed = before
      ? sql`FROM ${name(index - 1)} c WHERE c."points" <= ${before.limit.points} AND NOT EXISTS (SELECT FROM "marked")`
      : empty;
    return sql`${name(index)} AS (${addPoints(sql`${row} ${allowed}`, now)} RETURNING "points", "expire")`;
  });
  const counted = counters.map(
    (_, index) => sql`SELECT ${index}::int AS "index", "points", "expire" FROM ${name(index)}`,
  );
  const rows = await queryRows<{ index: number; points: number; expire: bigint; isMarked: boolean }>(
    db,
    sql`
      WITH "marked" AS (SELECT FROM "RateLimit" WHERE "key" = ${rowKey(mark)} AND "expire" > ${now}), ${join(steps)}
      SELECT c.*, EXISTS (SELECT FROM "marked") AS "isMarked" FROM (${join(counted, " UNION ALL ")}) c ORDER BY "index"`,
    { prepared: true },
  );
  for (const { index, points, expire } of rows) {
    const { name: limitName, limit } = counters[index] as Counter;
    if (points > limit.points) throw rateLimited(limitName, Number(expire) - now);
  }
  return rows[0]?.isMarked ?? false;
}

/** Which of several marks are set, by one statement. */
export async function areMarked(marks: readonly Counter[]): Promise<boolean[]> {
  const keys = marks.map(rowKey);
  const rows = await queryRows<{ key: string }>(
    db,
    sql`SELECT "key" FROM "RateLimit" WHERE "key" IN (${join(keys.map((key) => sql`${key}`))}) AND "expire" > ${Date.now()}`,
  );
  return keys.map((key) => rows.some((row) => row.key === key));
}

/** Sets marks, by one statement. */
export async function setMarks(tx: Db, marks: readonly Counter[]): Promise<void> {
  const now = Date.now();
  const rows = marks.map((mark) => toRow(mark, 1, now));
  await queryRows(tx, addPoints(sql`VALUES ${join(rows)}`, now, sql`true`));
}

/** Takes back one point of each of several counters, by one statement. */
export async function takeBack(counters: readonly Counter[]): Promise<void> {
  const now = Date.now();
  const keys = counters.map(rowKey);
  await queryRows(
    db,
    sql`
      UPDATE "RateLimit" r SET "points" = greatest(r."points" - 1, 0)
      FROM (
        SELECT "key" FROM "RateLimit" WHERE "key" IN (${join(keys)}) AND "expire" > ${now} ORDER BY "key" FOR UPDATE
      ) counted
      WHERE r."key" = counted."key"`,
  );
}

/** Removes a counter, sets marks and takes back one point of other counters, by one statement. */
export async function settleCounters(change: {
  remove: Counter;
  marks: readonly Counter[];
  takeBack: readonly Counter[];
}): Promise<void> {
  const { remove, marks, takeBack } = change;
  const now = Date.now();
  const rows = [...marks.map((mark) => toRow(mark, 1, now)), ...takeBack.map((counter) => toRow(counter, -1, now))];
  await queryRows(
    db,
    // The removed row is locked before the others, as in `consumeInOrder`.
    sql`
      WITH "removed" AS (DELETE FROM "RateLimit" WHERE "key" = ${rowKey(remove)} RETURNING 1)
      ${addPoints(
        sql`SELECT v.* FROM (SELECT count(*) FROM "removed") r CROSS JOIN (VALUES ${join(rows)}) v`,
        now,
        sql`EXCLUDED."key" IN (${join(marks.map((mark) => sql`${rowKey(mark)}`))})`,
      )}`,
    { prepared: true },
  );
}
