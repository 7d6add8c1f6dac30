import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import type pg from "pg";
import { inject } from "vitest";
import { type MasterKeys, masterKeys } from "@/lib/kernel/crypto/master-keys";
import { newId } from "@/lib/kernel/ids";
import { DiskDriver } from "@/lib/storage/disk";
import type { StorageDriver } from "@/lib/storage/driver";
import { createTestDatabase } from "@/scripts/test-database";
import { connect, createBackup } from "../create";
import { BackupFolder } from "../folder";
import { restoreBackup } from "../restore";
import { digestTable, listTables, type TableDigest } from "../tables";

export const MIGRATIONS = join(process.cwd(), "prisma", "migrations");

/** A deployment of its own: a database, a store and master keys. */
export interface Deployment {
  url: string;
  store: StorageDriver;
  masterKeys: MasterKeys;
}

export const newFolder = (): BackupFolder => new BackupFolder(join(inject("runDir"), `backups-${randomUUID()}`));

/** A pair of age keys. */
export async function newKeys(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

export async function newDeployment({
  store = new DiskDriver({ dataDir: join(inject("runDir"), `store-${randomUUID()}`) }),
  ...options
}: {
  empty?: boolean;
  store?: StorageDriver;
} = {}): Promise<Deployment & { drop(): Promise<void> }> {
  const { url, drop } = await createTestDatabase(options);
  await store.prepare();
  return { url, store, masterKeys: masterKeys(), drop };
}

/** Runs statements on a deployment's database. */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Stores bytes with the row of their file. @returns the key */
export async function insertFile(
  client: pg.Client,
  store: StorageDriver,
  bytes: Uint8Array,
  contentType: string,
): Promise<string> {
  const id = newId();
  const key = `installers/${id}`;
  const { size, sha256 } = await store.put(key, Readable.from([bytes]), { contentType, maxBytes: bytes.length });
  await client.query(
    `INSERT INTO "File" ("id", "storageKey", "name", "contentType", "size", "sha256", "purpose", "state")
     VALUES ($1, $2, 'a.apk', $3, $4, $5, 'installer', 'ready')`,
    [id, key, contentType, size, sha256],
  );
  return key;
}

/** Like `insertFile`, over a connection of its own. */
export function addFile(
  { url, store }: Deployment,
  bytes: Uint8Array,
  contentType = "application/zip",
): Promise<string> {
  return onDatabase(url, (client) => insertFile(client, store, bytes, contentType));
}

/** Writes a record of the audit log. */
export async function insertAuditRecord(client: pg.Client, changes: unknown): Promise<void> {
  await client.query(
    `INSERT INTO "AuditRecord" ("table", "action", "eventDate", "changes", "requestId")
     VALUES ('App', 'create', now(), $1, $2)`,
    [JSON.stringify(changes), randomUUID()],
  );
}

/** Like `insertAuditRecord`, over a connection of its own. */
export function addAuditRecord({ url }: Deployment, changes: unknown): Promise<void> {
  return onDatabase(url, (client) => insertAuditRecord(client, changes));
}

/** Everything that a backup has to bring back: the digests of all tables, and those of all objects by their keys. */
export async function contentOf({ url, store }: Deployment): Promise<{
  tables: Record<string, TableDigest>;
  objects: Record<string, string>;
}> {
  const tables = await onDatabase(url, async (client) => {
    await client.query("SET TimeZone = 'UTC'");
    const digests: Record<string, TableDigest> = {};
    for (const table of await listTables(client)) digests[table.name] = await digestTable(client, table);
    return digests;
  });
  const objects: Record<string, string> = {};
  for await (const { key } of store.list("")) {
    const hash = createHash("sha256");
    for await (const chunk of await store.get(key)) hash.update(chunk);
    objects[key] = hash.digest("hex");
  }
  return { tables, objects };
}

export function backUp(
  { url, store }: Deployment,
  folder: BackupFolder,
  recipient: string,
  now = new Date("2026-11-22T02:30:00Z"),
) {
  return createBackup({ connectionString: url, folder, recipients: [recipient], storage: store, now });
}

export function restoreInto(
  { url, store, masterKeys }: Deployment,
  folder: BackupFolder,
  identity: string,
  options: { id?: string; migrations?: string; endSessions?: boolean } = {},
) {
  return restoreBackup({
    connectionString: url,
    folder,
    identities: [identity],
    masterKeys,
    storage: store,
    migrations: MIGRATIONS,
    ...options,
  });
}
