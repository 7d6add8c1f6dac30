import { databasePool } from "@/lib/db/client";
import type { Round } from "./torture.ts";

/** Each of the answered requests has exactly one audit record. */
export async function expectRecorded(round: Round, requestIds: readonly string[], what: string): Promise<void> {
  const { rows } = await databasePool().query<{ requestId: string; count: number }>(
    `SELECT r AS "requestId", count(a."id")::int AS "count" FROM unnest($1::text[]) r
       LEFT JOIN "AuditRecord" a ON a."requestId" = r GROUP BY r HAVING count(a."id") <> 1`,
    [requestIds],
  );
  for (const { requestId, count } of rows) round.fail(`${what} (${requestId}) has ${count} audit records`);
}
