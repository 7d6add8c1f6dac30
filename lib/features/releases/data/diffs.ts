import "server-only";
import type { ContentsDiff } from "@slipway/installers";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";

/** Changes with what a difference contains, so that those that an earlier version kept are not used. */
const DIFF_VERSION = 2;

/** The difference of two releases as it was kept; null if it was not. */
export async function findDiff(db: Db, fromId: string, toId: string): Promise<ContentsDiff | null> {
  const kept = await db.releaseDiff.findUnique({ where: { fromId_toId: { fromId, toId } } });
  // The operation's output schema parses it.
  return kept?.version === DIFF_VERSION ? (kept.diff as unknown as ContentsDiff) : null;
}

/** How many differences to earlier releases are kept of a release. Otherwise, comparing all pairs would fill the database. */
export const KEPT_DIFFS = 20;

/** Keeps the difference of two releases until one of them is gone, or newer ones of the second release take its place. */
export async function keepDiff(db: Db, fromId: string, toId: string, diff: ContentsDiff): Promise<void> {
  await queryRows(
    db,
    sql`
      INSERT INTO "ReleaseDiff" ("fromId", "toId", "version", "diff")
      SELECT f."id", t."id", ${DIFF_VERSION}::int, ${JSON.stringify(diff)}::jsonb FROM "Release" f, "Release" t
      WHERE f."id" = ${fromId}::uuid AND t."id" = ${toId}::uuid
      FOR KEY SHARE OF f, t
      ON CONFLICT ("fromId", "toId") DO UPDATE SET "version" = EXCLUDED."version", "diff" = EXCLUDED."diff"`,
  );
  await queryRows(
    db,
    sql`
      DELETE FROM "ReleaseDiff" WHERE "toId" = ${toId}::uuid AND "fromId" IN (
        SELECT "fromId" FROM "ReleaseDiff" WHERE "toId" = ${toId}::uuid
        ORDER BY "createdAt" DESC, "fromId" DESC OFFSET ${KEPT_DIFFS}::int
      )`,
  );
}
