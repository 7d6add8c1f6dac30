import { expect, it } from "vitest";
import { setUpTestDatabase } from "@/scripts/test-database";
import { type Db, db } from "./client";
import { lockUntilCommit } from "./locks";
import { queryRows, sql } from "./query";

setUpTestDatabase();

it("a lock of a transaction blocks the same key and no other", async () => {
  /** Returns whether another connection can take the lock. */
  const isFree = async (tx: Db, key: string) => {
    const [row] = await queryRows<{ free: boolean }>(
      tx,
      sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) AS "free"`,
    );
    return row?.free;
  };
  await db.$transaction(async (tx) => {
    await lockUntilCommit(tx, "one");
    expect(await isFree(db, "one")).toBe(false);
    expect(await isFree(db, "two")).toBe(true);
  });
  expect(await isFree(db, "one")).toBe(true);
});
