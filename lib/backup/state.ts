import "server-only";
import { type Db, db } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import type { BackupResult } from "./create";

/** Records that a backup was completed. */
export async function recordBackup({ summary, lost }: BackupResult): Promise<void> {
  await db.backupState.update({
    where: { id: 1 },
    data: {
      succeededAt: new Date(),
      backupId: summary.id,
      objects: summary.objects,
      objectBytes: summary.objectBytes,
      lostFiles: lost.length,
      failedAt: null,
      failure: null,
    },
  });
}

/** Records that a backup failed. If the database cannot be reached, only the log tells of it. */
export async function recordFailure(error: unknown): Promise<void> {
  const failure = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  try {
    await db.backupState.update({ where: { id: 1 }, data: { failedAt: new Date(), failure } });
  } catch (cause) {
    log.warn({ err: cause }, "the failure of the backup could not be recorded");
  }
}

/** What is known of the backups of this deployment. */
export async function readBackupState(from: Db) {
  return from.backupState.findUniqueOrThrow({ where: { id: 1 } });
}
