import "server-only";
import { type BackupResult, createBackup, withBackupLock } from "@/lib/backup/create";
import { BackupFolder, type BackupSummary } from "@/lib/backup/folder";
import { expiredBackups } from "@/lib/backup/retention";
import { recordBackup, recordFailure } from "@/lib/backup/state";
import { env, SettingsError } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { storage } from "@/lib/storage";
import type { Job } from "./job";

/** The time limit of a backup. The first one copies every object. */
const BACKUP_SECONDS = 24 * 3_600 - 1;

/** The folder and the recipients of the settings. @throws SettingsError if one is missing */
function backupSettings(): { folder: BackupFolder; recipients: string[] } {
  const { BACKUP_DIR, BACKUP_RECIPIENTS } = env;
  if (!BACKUP_DIR) throw new SettingsError("BACKUP_DIR: required, the folder for backups");
  if (BACKUP_RECIPIENTS.length === 0) {
    throw new SettingsError('BACKUP_RECIPIENTS: required, a public key; "backup keygen" makes a pair');
  }
  return { folder: new BackupFolder(BACKUP_DIR), recipients: BACKUP_RECIPIENTS };
}

/** Makes a backup with the settings, and records whether it succeeded. @throws what stopped it */
export async function runBackup(
  options: Pick<Parameters<typeof createBackup>[0], "progress" | "signal">,
): Promise<BackupResult> {
  try {
    const result = await createBackup({
      ...backupSettings(),
      ...options,
      connectionString: env.DATABASE_DIRECT_URL,
      storage: storage(),
      now: new Date(),
    });
    await recordBackup(result);
    return result;
  } catch (error) {
    await recordFailure(error);
    throw error;
  }
}

/** Removes the backups that BACKUP_KEEP_DAILY, _WEEKLY and _MONTHLY do not keep. */
export async function pruneBackups(): Promise<{ removed: BackupSummary[]; objects: number; bytes: number }> {
  const { folder } = backupSettings();
  const { BACKUP_KEEP_DAILY: daily, BACKUP_KEEP_WEEKLY: weekly, BACKUP_KEEP_MONTHLY: monthly } = env;
  return withBackupLock(env.DATABASE_DIRECT_URL, async () => {
    const removed = expiredBackups(await folder.list(), { daily, weekly, monthly });
    return { removed, ...(await folder.removeBackups(removed.map(({ id }) => id))) };
  });
}

/** Makes a backup and removes old ones, at the times of BACKUP_SCHEDULE. Runs in the process of `backup schedule` only. */
export const backupJob: Job & { schedule: string } = {
  queue: "backup",
  // `exclusive`: one backup waits or runs, over all processes. It is repeated after a minute: the database or the store may
  // have been away, and what was copied is not copied again.
  options: { policy: "exclusive", retryLimit: 3, retryDelay: 60, retryBackoff: true, expireInSeconds: BACKUP_SECONDS },
  work: { pollingIntervalSeconds: 30 },
  get schedule() {
    return env.BACKUP_SCHEDULE;
  },
  async run(_data, { signal }) {
    const { summary, copied, lost } = await runBackup({ signal }).catch((error) => {
      // The command `backup create` says so in words.
      log.error({ err: error }, "the backup failed");
      throw error;
    });
    const { id, objects, objectBytes, rows } = summary;
    log.info({ id, rows, objects, objectBytes, copied }, "a backup was made");
    if (lost.length > 0) log.error({ fileIds: lost }, "files in use are missing in the store and in the backup");
    const { removed } = await pruneBackups();
    if (removed.length > 0) log.info({ ids: removed.map(({ id }) => id) }, "old backups were removed");
    return "done";
  },
};
