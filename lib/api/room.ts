import "server-only";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { ApiError } from "@/lib/kernel/errors";

/**
 * Refuses one more row where there are as many as there may be. Transactions with the same key wait for each other, so that the limit holds
 * for rows that are created at the same moment.
 * @param room.rows selects the rows that count; at most `limit` of them are read
 * @throws ApiError conflict with `detailKey`
 */
export async function requireRoom(
  tx: Db,
  room: { key: string; rows: Sql; limit: number; detailKey: "detailFeedback" | "detailShareLinks" },
): Promise<void> {
  const { key, rows, limit, detailKey } = room;
  await lockUntilCommit(tx, key);
  const last = await queryRows(tx, sql`${rows} OFFSET ${limit - 1}::int LIMIT 1`);
  if (last.length > 0) throw new ApiError("conflict", { detailKey, params: { limit } });
}
