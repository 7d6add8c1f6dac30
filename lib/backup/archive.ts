import "server-only";
import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import type { MasterKeys } from "@/lib/kernel/crypto/master-keys";
import { decrypt } from "./age";
import { throughZlib } from "./bytes";
import { BackupError } from "./errors";
import type { BackupFolder } from "./folder";
import { RowHash, type Table, type TableDigest } from "./tables";
import { readTar, type TarEntry } from "./tar";

// The archive of a backup, a tar file with these entries in this order:
//   header.json                    what has to be known before the rows are read
//   tables/<table>/<number>.copy   the rows of a table, in pieces
//   objects/<number>.ndjson        the list of objects, in pieces
//   manifest.json                  the digests of everything before
//   manifest.mac                   HMAC-SHA-256 of the manifest, with a key that is derived from the master key

export const ARCHIVE_FORMAT = 1;
export const HEADER = "header.json";
export const MANIFEST = "manifest.json";
export const MAC = "manifest.mac";

const hex64 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);

const headerSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  createdAt: z.iso.datetime(),
  version: z.string(),
  deployment: z.string(),
  /** The migrations that the rows have been through, in the order of their names. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** In the order in which they can be filled. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});
export type ArchiveHeader = z.output<typeof headerSchema>;

const manifestSchema = z.object({
  header: headerSchema,
  tables: z.record(z.string(), z.object({ rows: count, sha256: hex64 })),
  sequences: z.array(z.object({ table: z.string(), column: z.string(), lastValue: z.string().nullable() })),
  objects: z.object({ count, bytes: count, sha256: hex64 }),
  /** The last record of the audit log. */
  auditHead: z.object({ id: z.string(), hash: hex64 }).nullable(),
  /** The IDs of the master keys that the sealed values need. */
  masterKeys: z.array(z.string()),
  /** Files in use whose bytes the store did not have, or not as they were received. */
  lost: z.array(z.string()),
});
export type Manifest = z.output<typeof manifestSchema>;

const objectSchema = z.object({
  key: z.string(),
  sha256: hex64,
  size: count,
  contentType: z.string(),
  /** Its file in the backup folder. */
  path: z.string(),
});
/** An object of the store, with its attributes. */
export type BackedUpObject = z.output<typeof objectSchema>;

const macSchema = z.object({ masterKey: z.string(), mac: hex64 });

export const jsonEntry = (name: string, value: unknown): TarEntry => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value)}\n`),
});

/** The name of a piece of a table's rows or of the list of objects. */
export const pieceName = (folder: string, number: number, suffix: string) =>
  `${folder}/${String(number).padStart(6, "0")}.${suffix}`;

function macOf(manifest: Uint8Array, masterKey: { export(): Buffer }): string {
  const key = hkdfSync("sha256", masterKey.export(), "", "slipway backup manifest", 32);
  return createHmac("sha256", Buffer.from(key)).update(manifest).digest("hex");
}

/**
 * The entry that authenticates a manifest.
 * @param used the IDs of the keys that a restore needs in any case; one of them signs, so that it needs no other one
 */
export function macEntry(manifest: Uint8Array, { current, all }: MasterKeys, used: readonly string[]): TarEntry {
  const masterKey = [current.id, ...all.keys()].find((id) => used.includes(id)) ?? current.id;
  return jsonEntry(MAC, { masterKey, mac: macOf(manifest, all.get(masterKey) ?? current.key) });
}

const damaged = (what: string) => new BackupError("damaged", `the archive is damaged: ${what}`);

function parse<Schema extends z.ZodType>(schema: Schema, { name, bytes }: TarEntry): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw damaged(`${name} is not readable`);
  }
  const format = (json as { format?: unknown } | null)?.format;
  if (typeof format === "number" && format > ARCHIVE_FORMAT) {
    throw new BackupError(
      "newer",
      "the backup was made by a newer version of Slipway; use that version or a later one",
    );
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw damaged(`${name} is not what was expected`);
  return parsed.data;
}

const idsOf = (keys: MasterKeys) => [...keys.all.keys()].join(", ");

/**
 * Checks that a manifest was written with one of these master keys, and that they open every sealed value.
 * @throws BackupError foreign or damaged
 */
function authenticate(manifest: TarEntry, mac: TarEntry, keys: MasterKeys): void {
  const given = parse(macSchema, mac);
  const key = keys.all.get(given.masterKey);
  if (!key) {
    throw new BackupError(
      "foreign",
      `the backup belongs to another deployment, or its master key is missing: it was made with the master key ${given.masterKey}, and MASTER_KEY has ${idsOf(keys)}`,
    );
  }
  const expected = Buffer.from(macOf(manifest.bytes, key), "hex");
  if (!timingSafeEqual(expected, Buffer.from(given.mac, "hex"))) {
    throw new BackupError("foreign", "the backup was not written by this deployment: its signature is not valid");
  }
  const missing = parse(manifestSchema, manifest).masterKeys.filter((id) => !keys.all.has(id));
  if (missing.length > 0) {
    throw new BackupError(
      "foreign",
      `the backup has values that are sealed with the master key ${missing.join(", ")}, and MASTER_KEY has ${idsOf(keys)}. Add the missing key after the first one`,
    );
  }
}

/** What reads an archive does with the rows. */
interface ArchiveVisitor {
  /** Called before the first row. It can refuse the backup. */
  header?(header: ArchiveHeader): Promise<void> | void;
  /** Receives the rows of a table, all of them. */
  rows(table: Table, rows: AsyncIterable<Uint8Array>): Promise<void>;
  object(object: BackedUpObject): void;
}

/**
 * Reads an archive to its end and checks every digest and the manifest's authenticity.
 * @param options.masterKeys null skips the check of the authenticity
 * @throws BackupError
 */
export async function readArchive(
  folder: BackupFolder,
  id: string,
  options: { identities: readonly string[]; masterKeys: MasterKeys | null; visitor: ArchiveVisitor },
): Promise<Manifest> {
  const { identities, masterKeys, visitor } = options;
  const path = folder.archiveName(id);
  try {
    const unzipped = throughZlib(decrypt(folder.open(path), identities, path), createGunzip());
    return await readEntries(readTar(unzipped), masterKeys, visitor);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && String(cause.code).startsWith("Z_")) {
      throw new BackupError("damaged", `${path} is damaged: it was changed or cut short`, { cause });
    }
    throw cause;
  }
}

async function readEntries(
  entries: AsyncGenerator<TarEntry>,
  masterKeys: MasterKeys | null,
  visitor: ArchiveVisitor,
): Promise<Manifest> {
  let entry = await next(entries);
  if (entry.name !== HEADER) throw damaged("it has no header");
  const header = parse(headerSchema, entry);
  await visitor.header?.(header);

  entry = await next(entries);
  const digests: Record<string, TableDigest> = {};
  for (const table of header.tables) {
    const hash = new RowHash();
    const prefix = `tables/${table.name}/`;
    const rows = async function* () {
      for (; entry.name.startsWith(prefix); entry = await next(entries)) {
        hash.update(entry.bytes);
        yield entry.bytes;
      }
    };
    await visitor.rows(table, rows());
    digests[table.name] = hash.digest();
  }

  const objects = { count: 0, bytes: 0, hash: createHash("sha256") };
  for (; entry.name.startsWith("objects/"); entry = await next(entries)) {
    objects.hash.update(entry.bytes);
    for (const line of Buffer.from(entry.bytes).toString("utf8").split("\n")) {
      if (line === "") continue;
      const object = parse(objectSchema, { name: entry.name, bytes: Buffer.from(line) });
      objects.count += 1;
      objects.bytes += object.size;
      visitor.object(object);
    }
  }

  if (entry.name !== MANIFEST) throw damaged(`${entry.name} is not expected here`);
  const manifest = parse(manifestSchema, entry);
  const mac = await next(entries);
  if (mac.name !== MAC) throw damaged("it has no signature");
  if (masterKeys) authenticate(entry, mac, masterKeys);
  if (!(await entries.next()).done) throw damaged("it goes on after its end");

  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  if (!same(manifest.header, header)) throw damaged("its header differs from its manifest");
  for (const { name } of header.tables) {
    if (!same(manifest.tables[name], digests[name])) throw damaged(`the rows of ${name} differ from its manifest`);
  }
  const listed = { count: objects.count, bytes: objects.bytes, sha256: objects.hash.digest("hex") };
  if (!same(manifest.objects, listed)) throw damaged("its list of objects differs from its manifest");
  return manifest;
}

async function next(entries: AsyncGenerator<TarEntry>): Promise<TarEntry> {
  const { done, value } = await entries.next();
  if (done) throw damaged("it is cut short");
  return value;
}
