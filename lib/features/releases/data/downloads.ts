import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { newId } from "@/lib/kernel/ids";
import { collectEvents } from "@/lib/webhooks/outbox";
import { installUrl } from "./answers";

/** A download of a release that has begun. */
export interface Download {
  releaseId: string;
  userId: string | null;
  byLink: boolean;
  userAgent: string | null;
  kind: "install" | "download";
  at: Date;
}

/** How many of the last downloads of a release are kept of each user, and of all others together. */
export const KEPT_OF_USER = 20;
export const KEPT_OF_OTHERS = 1_000;
/** After how many downloads of a release earlier ones are forgotten. */
export const FORGET_EVERY = 100;

/** Forgets the earlier downloads of a release, once in `FORGET_EVERY` downloads: a link can be fetched without end. */
async function forgetEarlier(db: Db, releaseId: string, recorded: number): Promise<void> {
  await queryRows(
    db,
    sql`
      DELETE FROM "ReleaseDownload" WHERE "id" IN (
        SELECT d."id" FROM (
          SELECT "id", "userId", row_number() OVER (PARTITION BY "userId" ORDER BY "at" DESC, "id" DESC) AS "place"
          FROM "ReleaseDownload" WHERE "releaseId" = ${releaseId}::uuid AND EXISTS (
            SELECT 1 FROM "Release" WHERE "id" = ${releaseId}::uuid AND "downloadCount" % ${FORGET_EVERY}::int < ${recorded}::int
          )
        ) d WHERE d."place" > CASE WHEN d."userId" IS NULL THEN ${KEPT_OF_OTHERS}::int ELSE ${KEPT_OF_USER}::int END
      )`,
    { prepared: true },
  );
}

/**
 * Records downloads, except those of releases that were deleted after the download had started. Those of one release are one
 * statement: each would hold the row of the release until it is committed.
 */
export async function recordDownloads(db: Db, downloads: readonly Download[]): Promise<void> {
  for (const [releaseId, ofRelease] of Map.groupBy(downloads, (download) => download.releaseId)) {
    // The event `release.download-started`, and its former name (lib/kernel/events.ts).
    const installations = sql`
      SELECT row_number() OVER (ORDER BY recorded."at", recorded."id", named."type") AS "number", named."type",
        a."id" AS "appId", recorded."at" AS "at",
        jsonb_build_object(
          'app', jsonb_build_object('id', a."id", 'name', a."name"),
          'environment', jsonb_build_object('id', e."id", 'name', e."name"),
          'release', jsonb_build_object('id', counted."id", 'version', counted."version",
            'buildNumber', counted."buildNumber", 'identifier', counted."identifier",
            'displayName', counted."displayName", 'platform', p."kind"),
          'userId', recorded."userId", 'url', ${installUrl(releaseId)}::text) AS "data"
      FROM recorded CROSS JOIN counted CROSS JOIN unnest(ARRAY['release.download-started', 'release.installed']) named("type")
      JOIN "Environment" e ON e."id" = counted."environmentId" JOIN "App" a ON a."id" = e."appId"
      JOIN "Platform" p ON p."id" = counted."platformId"
      WHERE recorded."kind" = 'install'`;
    const rows = ofRelease.map((download) => ({ ...download, id: newId() }));
    await queryRows(
      db,
      sql`
        WITH counted AS (
          UPDATE "Release" SET "downloadCount" = "downloadCount" + ${rows.length}::int
          WHERE "id" = ${releaseId}::uuid
          RETURNING "id", "environmentId", "platformId", "version", "buildNumber", "identifier", "displayName"
        ), recorded AS (
        INSERT INTO "ReleaseDownload" ("id", "releaseId", "at", "userId", "byLink", "userAgent", "kind")
        SELECT d."id", counted."id", d."at", d."userId", d."byLink", d."userAgent", d."kind" FROM counted,
          json_to_recordset(${JSON.stringify(rows)}::json)
            AS d("id" uuid, "at" timestamptz, "userId" uuid, "byLink" boolean, "userAgent" text, "kind" "DownloadKind")
          RETURNING "id", "releaseId", "at", "userId", "kind"
        ), used AS (
        UPDATE "ReleaseRecipient" o SET "openedAt" = coalesce(o."openedAt", recorded."at"), "installedAt" = recorded."at"
        FROM recorded JOIN "Tester" t ON t."userId" = recorded."userId"
        WHERE o."releaseId" = recorded."releaseId" AND o."testerId" = t."id" AND o."installedAt" IS NULL
        )
        ${collectEvents(installations)}`,
      { prepared: true },
    );
    await forgetEarlier(db, releaseId, rows.length);
  }
}
