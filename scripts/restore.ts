import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BackupFolder } from "@/lib/backup/folder";
import { restoreBackup } from "@/lib/backup/restore";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { env } from "@/lib/kernel/env";
import { storage } from "@/lib/storage";
import { loadEnvFile, resolveDataDir } from "./lib/data-dir.mjs";
import { formatBytes, formatCount } from "./lib/format";
import { readIdentities } from "./lib/identities";
import { reportProgress } from "./lib/progress";
import { runCommand } from "./lib/run-command";
import { commandLine, Refusal, showUsage } from "./lib/usage";

const USAGE = `Restores a backup into an empty deployment whose console is stopped.

usage: ${commandLine("restore")} --identity <file> [--directory <folder>] [--backup <id>] [--end-sessions]

  --identity       the file with the secret key (age identity) for which the backup is encrypted; "-" reads standard input
  --directory      the folder with the backups, instead of BACKUP_DIR
  --backup         the backup to restore, instead of the latest one
  --end-sessions   removes all sessions and one-time links, so that everybody signs in again

The settings must have the MASTER_KEY that the deployment had when the backup was made.

Everything is checked before anything is written. Files are restored first, the rows follow at once at the end. An interrupted
restore leaves no rows: run the same command again, and it continues with the files that are missing.
`;

/** Otherwise, a new key would be created, with which no backup can be restored. */
function requireMasterKey(): void {
  loadEnvFile();
  const { MASTER_KEY, MASTER_KEY_FILE } = process.env;
  const file = join(resolveDataDir(process.env), "keys", "master.key");
  if (MASTER_KEY || MASTER_KEY_FILE || existsSync(file)) return;
  throw new Refusal(
    `The master key is missing: put the one of the backed up deployment into ${file}, or set MASTER_KEY.`,
  );
}

async function restore({ identity, backup, endSessions }: { identity: string; backup?: string; endSessions: boolean }) {
  if (!env.BACKUP_DIR) throw new Refusal("BACKUP_DIR is not set: give --directory <folder>");
  const shown = reportProgress("bytes of files");
  const startedAt = performance.now();
  const { summary, manifest, objects, auditRecords, migrations } = await restoreBackup({
    connectionString: env.DATABASE_DIRECT_URL,
    folder: new BackupFolder(env.BACKUP_DIR),
    id: backup,
    identities: readIdentities(identity),
    masterKeys: masterKeys(),
    storage: storage(),
    migrations: join(process.cwd(), "prisma", "migrations"),
    endSessions,
    progress: ({ of, done, total }) => {
      if (of === "objects") shown.update(done, total);
    },
  }).finally(() => shown.end());
  const { header, lost } = manifest;
  const lines = [
    `The backup ${summary.id} of version ${header.version} is restored (${Math.round((performance.now() - startedAt) / 1000)} s):`,
    `${formatCount(summary.rows, "row")} in ${summary.tables} tables, each table with the same SHA-256 as in the backup`,
    `${formatCount(objects.restored + objects.present, "file")} (${formatBytes(objects.bytes)}), each read back with the same SHA-256; ${objects.present} were there from an interrupted restore`,
    `${formatCount(auditRecords, "record")} of the audit log, with the same last record as in the backup`,
    ...(migrations.length > 0 ? [`${migrations.length} migrations of this version were applied`] : []),
    ...(endSessions ? ["all sessions and one-time links were removed"] : []),
    ...(lost.length > 0
      ? [`${formatCount(lost.length, "file")} lost before the backup was made: ${lost.join(", ")}`]
      : []),
    "Start the console now.",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    identity: { type: "string" },
    directory: { type: "string" },
    backup: { type: "string" },
    "end-sessions": { type: "boolean", default: false },
    help: { type: "boolean", short: "h" },
  },
});
if (values.directory) process.env.BACKUP_DIR = resolve(values.directory);
const { identity, backup } = values;
if (values.help) process.stdout.write(USAGE);
else if (positionals.length > 0 || identity === undefined) showUsage(USAGE);
else {
  try {
    requireMasterKey();
    await runCommand(() => restore({ identity, backup, endSessions: values["end-sessions"] }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
