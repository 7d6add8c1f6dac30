import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { newId } from "@/lib/kernel/ids";

/** A download of a release that has begun. */
export interface Download {
  releaseId: string;
  userId: string | null;
  byLink: boolean;
  userAgent: string | null;
  kind: "install" | "download";
  at: Date;
}

/**
 * Records downloads, except those of releases that were deleted after the download had started. Those of one release are one
 * statement: each would hold the row of the release until it is committed.
 */
export async function recordDownloads(db: Db, downloads: readonly Download[]): Promise<void> {
  for (const [releaseId, ofRelease] of Map.groupBy(downloads, (download) => download.releaseId)) {
    const rows = ofRelease.map((download) => ({ ...download, id: newId() }));
    await queryRows(
      db,
      sql`
        WITH counted AS (
          UPDATE "Release" SET "downloadCount" = "downloadCount" + ${rows.length}::int
          WHERE "id" = ${releaseId}::uuid RETURNING "id"
        )
        INSERT INTO "ReleaseDownload" ("id", "releaseId", "at", "userId", "byLink", "userAgent", "kind")
        SELECT d."id", counted."id", d."at", d."userId", d."byLink", d."userAgent", d."kind" FROM counted,
          json_to_recordset(${JSON.stringify(rows)}::json)
            AS d("id" uuid, "at" timestamptz, "userId" uuid, "byLink" boolean, "userAgent" text, "kind" "DownloadKind")`,
      { prepared: true },
    );
  }
}
