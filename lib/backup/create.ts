import "server-only";
import { createHash } from "node:crypto";
import { createGzip } from "node:zlib";
import pg from "pg";
import { type MasterKeys, masterKeys } from "@/lib/kernel/crypto/master-keys";
import { VERSION } from "@/lib/kernel/instance";
import { masterKeyIdOf } from "@/lib/keys/master-key-use";
import { SEALED_COLUMNS } from "@/lib/keys/sealed-columns";
import { type StorageDriver, StorageError } from "@/lib/storage/driver";
import { pauseRemoval } from "@/lib/storage/removal";
import { encrypt, encryptedSizeFor } from "./age";
import {
  ARCHIVE_FORMAT,
  type ArchiveHeader,
  type BackedUpObject,
  HEADER,
  jsonEntry,
  MANIFEST,
  type Manifest,
  macEntry,
  pieceName,
} from "./archive";
import { inPieces, throughZlib } from "./bytes";
import { BackupError } from "./errors";
import { type BackupFolder, type BackupSummary, contentId, SUMMARY_FORMAT } from "./folder";
import { COPY_SETTINGS, listTables, RowHash, readSequences, readTable } from "./tables";
import { type TarEntry, writeTar } from "./tar";

/** The size of an entry of the archive, which is held in memory. */
const PIECE_BYTES = 1024 * 1024;

/** Objects that are copied at a time. */
const CONCURRENCY = 2;

/** The advisory lock under which one backup runs at a time. */
const LOCK = "backup";

export type Progress = (step: { of: "rows" | "objects" | "files"; done: number; total: number }) => void;

export interface BackupResult {
  summary: BackupSummary;
  /** Objects that this backup copied, and their bytes; the others were in the folder. */
  copied: { objects: number; bytes: number };
  /** The IDs of files in use that the store has lost or damaged. They are not in the backup. */
  lost: string[];
}

interface FileRow {
  id: string;
  storageKey: string;
  sha256: string;
  size: string;
  contentType: string;
}

/** Connects with a client of its own, whose transaction holds locks or a snapshot. */
export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    application_name: "slipway-backup",
  });
  // Without a listener, a lost connection would terminate the process. The next query reports the loss.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/**
 * Takes the lock under which one backup at a time runs and the folder is changed.
 * @throws BackupError busy
 */
async function takeLock(client: pg.ClientBase): Promise<void> {
  await client.query("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0");
  const { rows } = await client.query<{ taken: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken",
    [LOCK],
  );
  if (!rows[0]?.taken) throw new BackupError("busy", "another backup is running; wait until it has ended");
}

/** Runs work under the lock of backups. @throws BackupError busy */
export async function withBackupLock<T>(connectionString: string, work: (lock: pg.Client) => Promise<T>): Promise<T> {
  const lock = await connect(connectionString);
  try {
    await takeLock(lock);
    return await work(lock);
  } finally {
    await lock.end().catch(() => {});
  }
}

/**
 * Checks that this run still has the lock, which ends with its connection. Without it, another run may remove what this one wrote.
 * @throws BackupError interrupted
 */
async function assertLocked(lock: pg.Client): Promise<void> {
  try {
    await lock.query("SELECT 1");
  } catch (cause) {
    throw new BackupError(
      "interrupted",
      "the connection to the database was lost during the backup, which therefore is not complete; make it again: files that were copied are not copied again",
      { cause },
    );
  }
}

/**
 * Makes a backup while the console runs. The rows are those of one snapshot, and the objects are those that its rows refer
 * to: their removal is paused until they are copied. Objects that the folder has are not copied again.
 *
 * @param options.recipients public keys of the age format
 * @throws BackupError
 */
export async function createBackup(options: {
  connectionString: string;
  folder: BackupFolder;
  recipients: readonly string[];
  /** One that seals a value signs the backup, the current one if possible. By default, those of the settings. */
  masterKeys?: MasterKeys;
  storage: StorageDriver;
  now: Date;
  progress?: Progress;
  signal?: AbortSignal;
}): Promise<BackupResult> {
  return withBackupLock(options.connectionString, async (lock) => {
    await pauseRemoval(lock);
    const run = new BackupRun(options, lock);
    return run.run();
  });
}

class BackupRun {
  readonly #options: Parameters<typeof createBackup>[0];
  readonly #lock: pg.Client;
  readonly #masterKeys: MasterKeys;
  readonly #rowsOf: Manifest["tables"] = {};
  readonly #paths = new Set<string>();
  readonly #lost: string[] = [];
  readonly #copied = { objects: 0, bytes: 0 };
  readonly #objects = { count: 0, bytes: 0 };

  constructor(options: Parameters<typeof createBackup>[0], lock: pg.Client) {
    this.#options = options;
    this.#lock = lock;
    this.#masterKeys = options.masterKeys ?? masterKeys();
  }

  async run(): Promise<BackupResult> {
    const { connectionString, folder, recipients, now } = this.#options;
    await folder.prepare();
    const client = await connect(connectionString);
    try {
      await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; ${COPY_SETTINGS}`);
      const header = await this.#readHeader(client);
      await this.#assertOwnFolder(header.deployment);
      const usedKeys = await usedMasterKeys(client);
      this.#assertMasterKeys(usedKeys);
      const id = await folder.newId(now);
      const entries = this.#entries(client, header, usedKeys);
      const archive = await folder.writeArchive(
        id,
        encrypt(throughZlib(writeTar(entries, now), createGzip()), recipients),
      );
      await assertLocked(this.#lock);
      const summary = await folder.writeSummary(
        {
          format: SUMMARY_FORMAT,
          id,
          createdAt: header.createdAt,
          version: header.version,
          deployment: header.deployment,
          recipients: [...recipients],
          tables: header.tables.length,
          rows: Object.values(this.#rowsOf).reduce((sum, { rows }) => sum + rows, 0),
          objects: this.#objects.count,
          objectBytes: this.#objects.bytes,
          archive: { bytes: archive.bytes, sha256: archive.sha256 },
        },
        [...this.#paths],
      );
      return { summary, copied: this.#copied, lost: this.#lost };
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #readHeader(client: pg.Client): Promise<ArchiveHeader> {
    const migrations = await client.query<{ name: string; checksum: string }>(
      `SELECT migration_name AS "name", checksum FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
    );
    return {
      format: ARCHIVE_FORMAT,
      createdAt: this.#options.now.toISOString(),
      version: VERSION,
      deployment: fingerprint(await deploymentId(client)),
      migrations: migrations.rows,
      tables: await listTables(client),
    };
  }

  /** Two deployments with one folder would remove each other's backups. */
  async #assertOwnFolder(deployment: string): Promise<void> {
    const { folder } = this.#options;
    const other = (await folder.list()).find((summary) => summary.deployment !== deployment);
    if (other) {
      throw new BackupError("foreign", `${folder.path} has backups of another deployment, such as ${other.id}`);
    }
  }

  /** A schedule that was not restarted after a rotation would sign backups with a key that nobody keeps. */
  #assertMasterKeys(used: readonly string[]): void {
    const missing = used.filter((id) => !this.#masterKeys.all.has(id));
    if (missing.length === 0) return;
    throw new BackupError(
      "master_key",
      `values are sealed with the master key ${missing.join(", ")}, and MASTER_KEY has ${[...this.#masterKeys.all.keys()].join(", ")}. If the key was added after this process started, restart it; otherwise, add the missing key after the first one`,
    );
  }

  async *#entries(client: pg.Client, header: ArchiveHeader, usedKeys: readonly string[]): AsyncGenerator<TarEntry> {
    const { progress, signal } = this.#options;
    yield jsonEntry(HEADER, header);
    for (const [index, table] of header.tables.entries()) {
      signal?.throwIfAborted();
      progress?.({ of: "rows", done: index, total: header.tables.length });
      const hash = new RowHash();
      let number = 0;
      for await (const { bytes } of inPieces(readTable(client, table), PIECE_BYTES)) {
        if (bytes.length === 0) continue;
        hash.update(bytes);
        number += 1;
        yield { name: pieceName(`tables/${table.name}`, number, "copy"), bytes };
      }
      this.#rowsOf[table.name] = hash.digest();
    }
    const manifest = {
      header,
      tables: this.#rowsOf,
      sequences: await readSequences(client),
      auditHead: await auditHead(client),
      masterKeys: [...usedKeys],
    };
    const { rows: files } = await client.query<FileRow>(
      `SELECT "id", "storageKey", "sha256", "size"::text, "contentType" FROM "File"
       WHERE "sha256" IS NOT NULL AND "state" <> 'deleting' ORDER BY "id"`,
    );
    const id = await deploymentId(client);
    // The snapshot is not needed while objects are copied, which can take hours. The pause of their removal is.
    await client.query("COMMIT");

    const hash = createHash("sha256");
    let number = 0;
    for await (const { bytes } of inPieces(this.#copyObjects(files, id), PIECE_BYTES)) {
      if (bytes.length === 0) continue;
      hash.update(bytes);
      number += 1;
      yield { name: pieceName("objects", number, "ndjson"), bytes };
    }
    const complete: Manifest = {
      header: manifest.header,
      tables: manifest.tables,
      sequences: manifest.sequences,
      objects: { ...this.#objects, sha256: hash.digest("hex") },
      auditHead: manifest.auditHead,
      masterKeys: manifest.masterKeys,
      lost: this.#lost,
    };
    const entry = jsonEntry(MANIFEST, complete);
    yield entry;
    yield macEntry(entry.bytes, this.#masterKeys, usedKeys);
  }

  /** Copies the objects that the folder lacks. Yields the list of all. */
  async *#copyObjects(files: readonly FileRow[], deploymentId: string): AsyncGenerator<Buffer> {
    const { folder, recipients, progress, signal } = this.#options;
    const present = await folder.findObjects(recipients);
    const encryptedSize = await encryptedSizeFor(recipients);
    const total = files.reduce((sum, { size }) => sum + Number(size), 0);
    let done = 0;

    const copy = async ({ id, storageKey, sha256, size, contentType }: FileRow): Promise<BackedUpObject | null> => {
      signal?.throwIfAborted();
      const content = contentId(deploymentId, sha256);
      let file = present.get(content);
      if (file && file.bytes !== encryptedSize(Number(size))) {
        // Cut short on the disk: it is of no use to earlier backups either.
        await folder.remove(file.path);
        file = undefined;
      }
      if (!file) {
        const copied = await this.#copyObject(storageKey, { sha256, content });
        if (!copied) {
          this.#lost.push(id);
          return null;
        }
        file = copied;
        present.set(content, file);
        this.#copied.objects += 1;
        this.#copied.bytes += Number(size);
      }
      this.#paths.add(file.path);
      this.#objects.count += 1;
      this.#objects.bytes += Number(size);
      return { key: storageKey, sha256, size: Number(size), contentType, path: file.path };
    };

    for (let at = 0; at < files.length; at += CONCURRENCY) {
      await assertLocked(this.#lock);
      const batch = files.slice(at, at + CONCURRENCY);
      for (const object of await allSettled(batch.map(copy)))
        if (object) yield Buffer.from(`${JSON.stringify(object)}\n`);
      done += batch.reduce((sum, { size }) => sum + Number(size), 0);
      progress?.({ of: "objects", done, total });
    }
  }

  /** @returns null if the store does not have the object, or other bytes than were received */
  async #copyObject(key: string, { sha256, content }: { sha256: string; content: string }) {
    const { folder, recipients, storage } = this.#options;
    const hash = createHash("sha256");
    try {
      const object = await storage.get(key);
      const hashed = async function* () {
        for await (const chunk of object as AsyncIterable<Uint8Array>) {
          hash.update(chunk);
          yield chunk;
        }
      };
      const file = await folder.writeObject(encrypt(hashed(), recipients), { recipients, contentId: content });
      if (hash.digest("hex") === sha256) return file;
      await folder.remove(file.path);
      return null;
    } catch (error) {
      if (error instanceof StorageError && error.failure === "missing") return null;
      throw error;
    }
  }
}

/** As `Promise.all`, but fails only after all have ended. */
async function allSettled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work);
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/** Identifies a deployment in the clear. */
export function fingerprint(deploymentId: string): string {
  return createHash("sha256").update(deploymentId).digest("hex").slice(0, 16);
}

async function deploymentId(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`SELECT "deploymentId" AS "id" FROM "BackupState"`);
  if (!rows[0]) throw new Error("the deployment has no ID");
  return rows[0].id;
}

/** The last record of the audit log. */
export async function auditHead(client: pg.ClientBase): Promise<Manifest["auditHead"]> {
  const { rows } = await client.query<{ id: string; hash: string }>(
    `SELECT r."id"::text, r."hash" FROM "AuditRecord" r ORDER BY r."id" DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

async function usedMasterKeys(client: pg.ClientBase): Promise<string[]> {
  const ids = new Set<string>();
  for (const sealed of SEALED_COLUMNS) {
    const { rows } = await client.query<{ id: string | null }>(
      `SELECT DISTINCT ${masterKeyIdOf(sealed).text} AS "id" FROM "${sealed.table}" WHERE "${sealed.column}" IS NOT NULL`,
    );
    for (const { id } of rows) if (id !== null) ids.add(id);
  }
  return [...ids].sort();
}
