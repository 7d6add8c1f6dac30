import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import type { Progress } from "@/lib/backup/create";
import { BackupError } from "@/lib/backup/errors";
import { BackupFolder, type BackupSummary } from "@/lib/backup/folder";
import { verifyContent, verifyFiles } from "@/lib/backup/verify";
import { backupJob, pruneBackups, runBackup } from "@/lib/jobs/backup";
import { closeQueues } from "@/lib/jobs/queue";
import { startWorker } from "@/lib/jobs/worker";
import { type MasterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { env } from "@/lib/kernel/env";
import { loadEnvFile, resolveDataDir } from "./lib/data-dir.mjs";
import { formatBytes, formatCount } from "./lib/format";
import { readIdentities } from "./lib/identities";
import { reportProgress } from "./lib/progress";
import { runCommand } from "./lib/run-command";
import { commandLine, Refusal, showUsage } from "./lib/usage";

const USAGE = `Makes, lists and verifies backups of the database and the files.

usage: ${commandLine("backup")} keygen <file>
       ${commandLine("backup")} create [--directory <folder>] [--recipient age1...]...
       ${commandLine("backup")} list [--directory <folder>]
       ${commandLine("backup")} verify [<id>] [--identity <file>] [--directory <folder>]
       ${commandLine("backup")} prune [--directory <folder>]
       ${commandLine("backup")} schedule

  keygen     writes a new secret key (age identity) to a file and prints its public key (recipient); "-" prints
             both. Keep the file away from this machine: the backups can be read with it and with nothing else.
  create     makes a backup while the console runs. Files that the folder has from earlier backups are not copied again.
  list       lists the complete backups of the folder, without a key.
  verify     checks every byte of the latest backup, or of the given one. With the secret key, also decrypts everything and
             compares the digests of the content, and with the master key, that this deployment wrote it.
  prune      removes the backups that BACKUP_KEEP_DAILY, BACKUP_KEEP_WEEKLY and BACKUP_KEEP_MONTHLY do not keep.
  schedule   keeps running, and makes a backup and prunes at the times of BACKUP_SCHEDULE.

  --directory   the folder with the backups, instead of BACKUP_DIR
  --recipient   a public key to encrypt for, instead of BACKUP_RECIPIENTS
  --identity    the file with the secret key; "-" reads standard input

A backup contains neither the master key nor any other setting: keep MASTER_KEY in another place. Without it, no backup can be
restored. To restore one, see ${commandLine("restore")} --help.
`;

/** How long `schedule` waits for a running backup when it is stopped. The next one continues with what was copied. */
const STOP_TIMEOUT_MS = 5_000;

function progressOf(): { progress: Progress; end(): void } {
  const shown = reportProgress("bytes of files");
  return {
    progress: ({ of, done, total }) => {
      if (of === "objects") shown.update(done, total);
    },
    end: () => shown.end(),
  };
}

async function keygen(file: string): Promise<void> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const text = `# public key: ${recipient}\n${identity}\n`;
  if (file === "-") {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new Refusal(`${file} cannot be written: ${(error as Error).message}`);
  }
  process.stdout.write(`${recipient}\n`);
}

function line({ id, version, rows, objects, objectBytes, archive }: BackupSummary): string {
  return `${id}  version ${version}  ${formatCount(rows, "row")} (${formatBytes(archive.bytes)})  ${formatCount(objects, "file")} (${formatBytes(objectBytes)})`;
}

/** What a backup copied of the files that it contains. */
function describeCopied({ objects, bytes }: { objects: number; bytes: number }, total: number): string {
  const copied = `${formatCount(objects, "file")} copied (${formatBytes(bytes)})`;
  return total > objects
    ? `${copied}; the content of the other ${formatCount(total - objects, "file")} is in the folder, by an earlier backup or an equal file.`
    : `${copied}.`;
}

async function create(): Promise<void> {
  const { progress, end } = progressOf();
  const { summary, copied, lost } = await runBackup({ progress }).finally(end);
  process.stdout.write(`${line(summary)}\n${describeCopied(copied, summary.objects)}\n`);
  if (lost.length === 0) return;
  process.stderr.write(
    `The backup lacks ${formatCount(lost.length, "file")} in use, missing or damaged in the store:\n${lost.join("\n")}\n`,
  );
  process.exitCode = 1;
}

async function list(folder: BackupFolder): Promise<void> {
  for (const summary of await folder.list()) process.stdout.write(`${line(summary)}\n`);
}

/** The master keys of the settings; null if there are none. */
function findMasterKeys(): MasterKeys | null {
  const { MASTER_KEY, MASTER_KEY_FILE } = process.env;
  if (MASTER_KEY) return parseMasterKeys(MASTER_KEY);
  const file = MASTER_KEY_FILE || join(resolveDataDir(process.env), "keys", "master.key");
  return existsSync(file) ? parseMasterKeys(readFileSync(file, "utf8")) : null;
}

async function verify(folder: BackupFolder, id: string | undefined, identity: string | undefined): Promise<void> {
  const summary = id === undefined ? await folder.latest() : await folder.read(id);
  const shown = reportProgress("files read");
  const progress: Progress = ({ of, done, total }) => {
    if (of === "files") shown.update(done, total);
  };
  const faults = await verifyFiles(folder, summary, { progress });
  const masterKeys = findMasterKeys();
  let lost = 0;
  if (identity !== undefined) {
    const identities = readIdentities(identity);
    const content = await verifyContent(folder, summary.id, { identities, masterKeys, progress });
    lost = content.manifest.lost.length;
    for (const fault of content.faults) if (!faults.includes(fault)) faults.push(fault);
  }
  shown.end();
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) {
    process.stdout.write(
      `${summary.id} is DAMAGED. Remove the files named above: the next backup copies what the console still has.\n`,
    );
    process.exitCode = 1;
    return;
  }
  process.stdout.write(`${line(summary)}\nEvery byte is as it was written.\n`);
  if (identity === undefined) {
    process.stdout.write("The content was not decrypted, because no --identity was given.\n");
  } else {
    process.stdout.write("The content decrypts, and each table and file has its digest.\n");
    if (masterKeys === null)
      process.stdout.write("That this deployment wrote it was not checked, for want of MASTER_KEY.\n");
  }
  if (lost > 0) process.stdout.write(`When it was made, the store had lost ${formatCount(lost, "file")} in use.\n`);
}

async function prune(): Promise<void> {
  const { removed, objects, bytes } = await pruneBackups();
  for (const { id } of removed) process.stdout.write(`${id} was removed\n`);
  process.stdout.write(`${formatCount(objects, "file")} (${formatBytes(bytes)}) removed that no backup needs\n`);
}

async function schedule(): Promise<void> {
  await startWorker(backupJob);
  process.stdout.write(`Backups are made at ${env.BACKUP_SCHEDULE} (UTC).\n`);
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await closeQueues(STOP_TIMEOUT_MS);
}

/** Runs what needs no database. */
async function runOffline(command: (folder: BackupFolder) => Promise<void>): Promise<void> {
  loadEnvFile();
  try {
    const path = process.env.BACKUP_DIR;
    if (!path) throw new Refusal("BACKUP_DIR is not set: give --directory <folder>");
    await command(new BackupFolder(resolve(path)));
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof BackupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    directory: { type: "string" },
    recipient: { type: "string", multiple: true },
    identity: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const [name, argument, ...more] = positionals;
// The settings that the options replace are read later.
if (values.directory) process.env.BACKUP_DIR = resolve(values.directory);
if (values.recipient) process.env.BACKUP_RECIPIENTS = values.recipient.join(",");
const isAlone = argument === undefined;
if (values.help) process.stdout.write(USAGE);
else if (more.length > 0) showUsage(USAGE);
else if (name === "keygen" && argument) await keygen(argument);
else if (name === "create" && isAlone) await runCommand(create);
else if (name === "list" && isAlone) await runOffline(list);
else if (name === "verify") await runOffline((folder) => verify(folder, argument, values.identity));
else if (name === "prune" && isAlone) await runCommand(prune);
else if (name === "schedule" && isAlone) await runCommand(schedule);
else showUsage(USAGE);
