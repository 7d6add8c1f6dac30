import "server-only";
import type { Db } from "@/lib/db/client";
import type { BinReason } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import { BEFORE_ALL_IDS } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { DAY_MS } from "@/lib/kernel/time";
import { BIN_DAYS } from "./bin-days";
import { releaseFiles, removeFile } from "./files";

/** How many releases are read at a time when the bin is emptied. */
const BATCH = 100;

/** Why a release goes to the bin, and who deleted it; neither for retention. */
interface Binning {
  reason: BinReason;
  userId: string | null;
  tokenId: string | null;
  now: Date;
}

/**
 * Moves a release to the bin with the rows that refer to it. Its files stay in the store. For readers of releases, it is deleted.
 * @returns false if it does not exist
 */
export async function moveToBin(
  tx: Db,
  releaseId: string,
  { reason, userId, tokenId, now }: Binning,
): Promise<boolean> {
  const expiresAt = new Date(now.getTime() + BIN_DAYS * DAY_MS);
  const binned = await queryRows(
    tx,
    sql`
      INSERT INTO "BinnedRelease" ("id", "environmentId", "platformId", "fileId", "iconFileId",
        "universalFileId", "version", "buildNumber",
        "displayName", "fileName", "size", "deployDate", "reason", "binnedByUser", "binnedByToken", "binnedAt", "expiresAt")
      SELECT r."id", r."environmentId", r."platformId", r."fileId", r."iconFileId", r."universalFileId", r."version", r."buildNumber", r."displayName",
        coalesce(r."fileName", f."name"), r."size" + r."universalSize" + r."filesSize", r."deployDate", ${reason}::"BinReason", ${userId}::uuid, ${tokenId}::uuid,
        ${now}::timestamptz, ${expiresAt}::timestamptz
      FROM "Release" r JOIN "File" f ON f."id" = r."fileId" WHERE r."id" = ${releaseId}::uuid
      RETURNING 1`,
  );
  if (binned.length === 0) return false;
  await queryRows(tx, sql`SELECT 1 FROM bin_release(${releaseId}::uuid)`);
  return true;
}

/**
 * Restores a release from the bin, with the rows that referred to it. Retention leaves alone what it had moved there: it would
 * move it again otherwise.
 * @returns false if it is not in the bin, or no longer
 */
export async function restoreFromBin(tx: Db, releaseId: string, now: Date): Promise<boolean> {
  const [binned] = await queryRows<{ reason: BinReason }>(
    tx,
    sql`
      SELECT "reason" FROM "BinnedRelease" WHERE "id" = ${releaseId}::uuid AND "expiresAt" > ${now}::timestamptz FOR UPDATE`,
  );
  if (!binned) return false;
  await queryRows(tx, sql`SELECT 1 FROM restore_binned_rows(${releaseId}::uuid)`);
  if (binned.reason === "retention") {
    await queryRows(tx, sql`UPDATE "Release" SET "keep" = true WHERE "id" = ${releaseId}::uuid`);
  }
  await queryRows(tx, sql`DELETE FROM "BinnedRelease" WHERE "id" = ${releaseId}::uuid`);
  return true;
}

/**
 * Deletes one release of the bin for good, and its files if nothing else refers to them. A file that the store does not remove now
 * is marked, and left to the sweeper.
 * @returns false if it is not in the bin, or can be restored again
 */
async function removeFromBin(db: Db, releaseId: string, now: Date): Promise<boolean> {
  const files = await db.$transaction(async (tx) => {
    // Not with the deletion, which removes these rows.
    const further = await queryRows<{ fileId: string }>(
      tx,
      sql`SELECT "fileId" FROM "BinnedFile" WHERE "releaseId" = ${releaseId}::uuid`,
    );
    const [removed] = await queryRows<{ fileId: string; iconFileId: string | null; universalFileId: string | null }>(
      tx,
      sql`
        DELETE FROM "BinnedRelease" WHERE "id" = ${releaseId}::uuid AND "expiresAt" <= ${now}::timestamptz
        RETURNING "fileId", "iconFileId", "universalFileId"`,
    );
    if (!removed) return null;
    const { fileId, iconFileId, universalFileId } = removed;
    return releaseFiles(tx, [fileId, iconFileId, universalFileId, ...further.map((row) => row.fileId)]);
  });
  for (const { fileId, storageKey } of files ?? []) {
    try {
      await removeFile(fileId, storageKey);
    } catch (error) {
      log.warn({ err: error, fileId }, "a file of a release that left the bin was left to the sweeper");
    }
  }
  return files !== null;
}

/**
 * Deletes what can no longer be restored. A release that cannot be deleted now does not stop the others, and is tried again by
 * the next run.
 * @returns how many were deleted
 * @throws AggregateError of all failures, after the other releases
 */
export async function emptyBin(db: Db, { now, signal }: { now: Date; signal?: AbortSignal }): Promise<number> {
  const failures: unknown[] = [];
  let removed = 0;
  for (let last = BEFORE_ALL_IDS; ; ) {
    const rows = await queryRows<{ id: string }>(
      db,
      sql`
        SELECT "id" FROM "BinnedRelease" WHERE "expiresAt" <= ${now}::timestamptz AND "id" > ${last}::uuid
        ORDER BY "id" LIMIT ${BATCH}`,
    );
    for (const { id } of rows) {
      signal?.throwIfAborted();
      try {
        if (await removeFromBin(db, id, now)) removed += 1;
      } catch (error) {
        failures.push(error);
      }
      last = id;
    }
    if (rows.length < BATCH) break;
  }
  if (failures.length > 0) throw new AggregateError(failures, "some releases could not leave the bin");
  return removed;
}
