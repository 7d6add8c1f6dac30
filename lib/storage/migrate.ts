import "server-only";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Db } from "@/lib/db/client";
import { type StorageDriver, StorageError } from "./driver";
import { sha256In } from "./sha256";

/** How many rows are looked at in one go. */
const BATCH = 200;

/** What a migration did, and what it could not do. */
export interface MigrationResult {
  /** Files that are whole in the new store, each read back there and its SHA-256 compared. */
  files: number;
  /** Of these, the files that this run copied, and their bytes. */
  copied: number;
  bytes: number;
  /** The ids of files whose bytes the old store does not have. */
  missing: string[];
  /** The ids of files whose bytes in the old store are not what they were when they came. */
  damaged: string[];
}

/** What is known to be whole in the new store, kept in a file so that a run that was killed goes on where it was. */
export class MigrationJournal {
  readonly #path: string;
  readonly #verified: Set<string>;

  private constructor(path: string, verified: Set<string>) {
    this.#path = path;
    this.#verified = verified;
  }

  /**
   * Opens the journal of a target, or begins one.
   * @param target identifies the store; a journal of another target is started over
   */
  static async open(path: string, target: string): Promise<MigrationJournal> {
    const lines = (await readFile(path, "utf8").catch(() => "")).split("\n");
    const isSame = lines.shift() === target;
    const journal = new MigrationJournal(path, new Set(isSame ? lines : []));
    if (!isSame) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, `${target}\n`, { mode: 0o600 });
    } else if (lines.at(-1) !== "") {
      // A line that a crash cut off: it names nothing, and the next one must not be joined to it.
      await appendFile(path, "\n");
    }
    return journal;
  }

  has(line: string): boolean {
    return this.#verified.has(line);
  }

  async note(line: string): Promise<void> {
    await appendFile(this.#path, `${line}\n`, { flush: true });
    this.#verified.add(line);
  }
}

interface MigratedFile {
  id: string;
  storageKey: string;
  contentType: string;
  size: bigint;
  sha256: string | null;
}

/**
 * Copies every file that the tables know from one store to the other, under the same key, and compares its SHA-256 as
 * the new store gives it back. The rows stay as they are, since no key changes; neither store is asked to remove
 * anything. It may be run again at any time, also while the console is running on the old store: what is whole in the
 * new one is not copied again. Unfinished uploads are not copied and have to be restarted.
 *
 * @param options.tell is called after each file
 * @throws StorageError where a store is away, or gives back other bytes than it was sent
 */
export async function migrateFiles(options: {
  db: Db;
  from: StorageDriver;
  to: StorageDriver;
  journal: MigrationJournal;
  tell(result: MigrationResult): void;
}): Promise<MigrationResult> {
  const { db, from, to, journal, tell } = options;
  const result: MigrationResult = { files: 0, copied: 0, bytes: 0, missing: [], damaged: [] };
  const whole = { sha256: { not: null }, state: { not: "deleting" as const } };
  for (let last: string | undefined; ; ) {
    const files: MigratedFile[] = await db.file.findMany({
      where: { ...whole, ...(last !== undefined && { id: { gt: last } }) },
      orderBy: { id: "asc" },
      take: BATCH,
    });
    if (files.length === 0) return result;
    for (const file of files) {
      const outcome = await migrateFile(file, from, to, journal);
      if (outcome === "there" || outcome === "copied") result.files += 1;
      if (outcome === "copied") {
        result.copied += 1;
        result.bytes += Number(file.size);
      }
      // A file that was deleted in the meantime is not lost.
      else if (outcome !== "there" && (await db.file.count({ where: { id: file.id, ...whole } })) === 1) {
        result[outcome].push(file.id);
      }
      tell(result);
    }
    last = files.at(-1)?.id;
  }
}

/** What the console has deleted since the row was read is gone from the store. */
function missingAsNull(error: unknown): null {
  if (error instanceof StorageError && error.failure === "missing") return null;
  throw error;
}

async function migrateFile(
  { id, storageKey, contentType, size, sha256 }: MigratedFile,
  from: StorageDriver,
  to: StorageDriver,
  journal: MigrationJournal,
): Promise<"there" | "copied" | "missing" | "damaged"> {
  const line = `${id} ${sha256}`;
  const isThere = (await to.head(storageKey))?.size === Number(size);
  if (isThere && journal.has(line)) return "there";
  if (isThere && (await sha256In(to, storageKey)) === sha256) {
    await journal.note(line);
    return "there";
  }
  const found = await from.head(storageKey);
  if (!found) return "missing";
  if (found.size !== Number(size)) return "damaged";
  const bytes = await from.get(storageKey).catch(missingAsNull);
  if (!bytes) return "missing";
  const put = await to
    .put(storageKey, bytes, { contentType, maxBytes: Number(size), expectedBytes: Number(size) })
    // A put that fails leaves the stream open.
    .finally(() => bytes.destroy());
  if (put.sha256 !== sha256) {
    await to.delete(storageKey);
    return "damaged";
  }
  if ((await sha256In(to, storageKey)) !== sha256) {
    await to.delete(storageKey);
    throw new Error(`the new store gives back other bytes of ${storageKey} than it was sent`);
  }
  await journal.note(line);
  return "copied";
}
