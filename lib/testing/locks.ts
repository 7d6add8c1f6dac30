import { expect, vi } from "vitest";
import { db } from "@/lib/db/client";

/** Prisma's options for a transaction that a test keeps open until others wait for it. */
export const LONG_TRANSACTION = { timeout: 60_000, maxWait: 60_000 };

/** Waits until `count` statements in this test's database are waiting for a lock. */
export async function untilWaitingForLocks(count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_stat_activity WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`;
      expect(waiting).toHaveLength(count);
    },
    { timeout: 20_000, interval: 20 },
  );
}
