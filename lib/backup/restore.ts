import "server-only";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { checkpointSchema, headOf } from "@/lib/audit/checkpoint";
import { verifyAudit } from "@/lib/audit/verify";
import { applyMigrations, readMigrations } from "@/lib/db/migrations";
import type { MasterKeys } from "@/lib/kernel/crypto/master-keys";
import { log } from "@/lib/kernel/log";
import type { StorageDriver } from "@/lib/storage/driver";
import { sha256In } from "@/lib/storage/sha256";
import { type BackedUpObject, type Manifest, readArchive } from "./archive";
import { auditHead, connect, type Progress } from "./create";
import { BackupError } from "./errors";
import type { BackupFolder, BackupSummary } from "./folder";
import { beginFilling, COPY_SETTINGS, digestTable, endFilling, fillTable } from "./tables";
import { openObject, readContents, verifyFiles } from "./verify";

/** The tables with rows only if the deployment was used. The others are filled by migrations and by the first start. */
const USED = ["User", "App", "File", "AuditRecord"];

const quietly = { info() {}, warn: (line: string) => log.warn(line) };

interface RestoreResult {
  summary: BackupSummary;
  manifest: Manifest;
  /** The objects whose bytes were sent now, and those that an interrupted restore had sent. */
  objects: { restored: number; present: number; bytes: number };
  /** Records of the audit log that were verified. */
  auditRecords: number;
  /** The migrations of this version that the backup did not have. */
  migrations: string[];
}

interface Options {
  connectionString: string;
  folder: BackupFolder;
  /** By default, the latest one. */
  id?: string;
  identities: readonly string[];
  masterKeys: MasterKeys;
  storage: StorageDriver;
  /** The folder of this version's migrations. */
  migrations: string;
  /** Removes all sessions and one-time tokens, so that everybody signs in again. */
  endSessions?: boolean;
  progress?: Progress;
}

/**
 * Restores a backup into an empty deployment whose console is stopped. Everything is checked before anything is written:
 * each byte of the backup, its origin, its version, and that the deployment is empty. Objects are restored first and read
 * back; the rows follow in one transaction, which is committed after they and the audit log were compared. An interrupted
 * restore therefore leaves a deployment without rows, into which the same backup can be restored again.
 *
 * @throws BackupError
 */
export async function restoreBackup(options: Options): Promise<RestoreResult> {
  const { connectionString, folder, identities, masterKeys, storage, progress } = options;
  const summary = options.id === undefined ? await folder.latest() : await folder.read(options.id);
  const client = await connect(connectionString);
  try {
    const state = await readDatabase(client);
    const { manifest, objects } = await readContents(folder, summary.id, {
      identities,
      masterKeys,
      header: (header) => assertKnownMigrations(header, options.migrations),
    });
    const faults = await verifyFiles(folder, summary, { progress });
    if (faults.length > 0) throw new BackupError("damaged", faults.join("\n"));
    await storage.prepare();
    await assertEmptyStore(storage, objects);

    await prepareSchema(client, state, manifest, options);
    const sent = await restoreObjects(objects, options);
    const auditRecords = await restoreRows(client, summary.id, manifest, options);
    const { applied } = await applyMigrations({
      connectionString,
      directory: options.migrations,
      log: quietly,
    });
    await client.query("ANALYZE");
    return { summary, manifest, objects: sent, auditRecords, migrations: applied };
  } finally {
    await client.end().catch(() => {});
  }
}

async function assertKnownMigrations({ migrations, version }: Manifest["header"], directory: string): Promise<void> {
  const known = new Map((await readMigrations(directory)).map(({ name, checksum }) => [name, checksum]));
  const newer = migrations.filter(({ name }) => !known.has(name));
  if (newer.length > 0) {
    throw new BackupError(
      "newer",
      `the backup was made by version ${version}, which is newer: this version lacks its migrations (${newer[0]?.name}, …). Install that version or a later one, and restore with it`,
    );
  }
  const changed = migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (changed) {
    throw new BackupError("foreign", `the backup was made by another build: its migration ${changed.name} differs`);
  }
}

/** How long connections that were closed just now may take to end. */
const DISCONNECT_TIMEOUT_MS = 2_000;

/** @throws BackupError busy if anything else is connected to the database */
async function assertUnused(client: pg.Client): Promise<void> {
  for (const until = performance.now() + DISCONNECT_TIMEOUT_MS; ; await delay(50)) {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    if (!rowCount) return;
    if (performance.now() < until) continue;
    throw new BackupError(
      "busy",
      "the database is in use: stop the console and everything else that is connected to it",
    );
  }
}

interface DatabaseState {
  /** The applied migrations; null if the database has no tables. */
  migrations: string[] | null;
}

/** @throws BackupError not_empty or busy */
async function readDatabase(client: pg.Client): Promise<DatabaseState> {
  await assertUnused(client);
  const tables = await client.query<{ name: string }>(
    `SELECT relname AS "name" FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`,
  );
  if (tables.rows.length === 0) return { migrations: null };
  const names = new Set(tables.rows.map(({ name }) => name));
  if (!names.has("_prisma_migrations")) {
    throw new BackupError("not_empty", "the database has tables of another program; restore into an empty database");
  }
  for (const table of USED.filter((name) => names.has(name))) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${pg.escapeIdentifier(table)} LIMIT 1`);
    if (rowCount) {
      throw new BackupError(
        "not_empty",
        `the deployment is not empty: its database has rows in ${table}. A backup is restored into an empty deployment only; nothing was changed`,
      );
    }
  }
  const applied = await client.query<{ name: string }>(
    `SELECT migration_name AS "name" FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return { migrations: applied.rows.map(({ name }) => name) };
}

/** @throws BackupError not_empty if the store has objects other than those of the backup */
async function assertEmptyStore(storage: StorageDriver, objects: readonly BackedUpObject[]): Promise<void> {
  const keys = new Set(objects.map(({ key }) => key));
  for await (const { key } of storage.list("")) {
    if (keys.has(key)) continue;
    throw new BackupError(
      "not_empty",
      `the deployment is not empty: its store has ${key}, which the backup does not have. Nothing was changed`,
    );
  }
}

/** Brings the tables of an empty database to the version of the backup. */
async function prepareSchema(
  client: pg.Client,
  { migrations }: DatabaseState,
  { header }: Manifest,
  { connectionString, migrations: directory }: Options,
): Promise<void> {
  const wanted = new Set(header.migrations.map(({ name }) => name));
  if (migrations?.some((name) => !wanted.has(name))) {
    // A console of a newer version was started here before the restore.
    try {
      await client.query("BEGIN; DROP SCHEMA public CASCADE; CREATE SCHEMA public; COMMIT");
    } catch (cause) {
      await client.query("ROLLBACK").catch(() => {});
      throw new BackupError(
        "not_empty",
        "the tables of the empty deployment are of a newer version than the backup, and this role may not remove them: create a new database",
        { cause },
      );
    }
  }
  await applyMigrations({ connectionString, directory, only: wanted, log: quietly });
}

/** Sends the objects to the store, and compares the SHA-256 of what it gives back. */
async function restoreObjects(
  objects: readonly BackedUpObject[],
  { storage, folder, identities, progress }: Options,
): Promise<RestoreResult["objects"]> {
  const result = { restored: 0, present: 0, bytes: 0 };
  const total = objects.reduce((sum, { size }) => sum + size, 0);
  for (const object of objects) {
    progress?.({ of: "objects", done: result.bytes, total });
    const { key, size, sha256, contentType } = object;
    const isPresent = (await storage.head(key))?.size === size && (await sha256In(storage, key)) === sha256;
    if (isPresent) result.present += 1;
    else {
      const content = openObject(folder, object, identities);
      await storage.put(key, Readable.from(content, { objectMode: false }), {
        contentType,
        maxBytes: size,
        expectedBytes: size,
      });
      if ((await sha256In(storage, key)) !== sha256) {
        throw new Error(
          `the store gives back other bytes of ${key} than it was sent; check the store and run restore again`,
        );
      }
      result.restored += 1;
    }
    result.bytes += size;
  }
  return result;
}

/** @returns the number of records of the audit log */
async function restoreRows(
  client: pg.Client,
  id: string,
  manifest: Manifest,
  { folder, identities, masterKeys, endSessions, progress }: Options,
): Promise<number> {
  const { tables } = manifest.header;
  await client.query(`BEGIN; ${COPY_SETTINGS}`);
  try {
    await beginFilling(client, tables);
    let filled = 0;
    const again = await readArchive(folder, id, {
      identities,
      masterKeys,
      visitor: {
        async rows(table, rows) {
          progress?.({ of: "rows", done: filled++, total: tables.length });
          await fillTable(client, table, rows);
        },
        object() {},
      },
    });
    if (JSON.stringify(again) !== JSON.stringify(manifest))
      throw new BackupError("damaged", "the backup changed while it was read");
    await endFilling(client, tables, manifest.sequences);
    for (const table of tables) {
      const { rows, sha256 } = await digestTable(client, table);
      const expected = manifest.tables[table.name];
      if (rows !== expected?.rows || sha256 !== expected.sha256) {
        throw new Error(
          `the rows of ${table.name} differ from those of the backup after they were restored; nothing was kept`,
        );
      }
    }
    const auditRecords = await verifyAuditLog(client, manifest);
    if (endSessions) await client.query(`DELETE FROM "Session"; DELETE FROM "OneTimeToken"`);
    await client.query("COMMIT");
    return auditRecords;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Verifies the chain, also against the checkpoints that the console stored. */
async function verifyAuditLog(client: pg.Client, manifest: Manifest): Promise<number> {
  const { rows } = await client.query<{ checkpoint: unknown }>(`SELECT "checkpoint" FROM "AuditCheckpoint"`);
  const known = rows
    .map(({ checkpoint }) => headOf(checkpointSchema.parse(checkpoint)))
    .filter((head) => head !== null);
  const { records, faults } = await verifyAudit(client, known);
  if (faults.length > 0) {
    // They were in the backup: the restore must not be what hides or prevents their investigation.
    log.error({ faults: faults.length }, "the audit log of the backup has faults; see the command audit verify");
  }
  const head = await auditHead(client);
  if (head?.hash !== manifest.auditHead?.hash) throw new Error("the audit log does not end as it did in the backup");
  return records;
}
