import "server-only";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Db } from "@/lib/db/client";
import { type StorageDriver, StorageError } from "./driver";
import { sha256In } from "./sha256";

/** How many rows are read at a time. */
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

/**
 * The files that are known to be complete in the new store. They are kept in a journal, so that another run continues
 * one that was killed.
 */
export class MigrationJournal {
  readonly #path: string;
  readonly #verified: Set<string>;

  private constructor(path: string, verified: Set<string>) {
    this.#path = path;
    this.#verified = verified;
  }

  /**
   * Opens the journal of a target, or creates one.
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
      // A crash can leave an incomplete line. It names no file, and the next line must not be appended to it.
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
 * read back from the new store. The rows do not change, because the keys stay the same, and nothing is removed from
 * either store. It can be repeated at any time, also while the console uses the old store: files that are complete in
 * the new store are not copied again. Unfinished uploads are not copied and have to be restarted.
 *
 * @param options.tell is called after each file
 * @throws StorageError if a store is unavailable, or returns other bytes than it was sent
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

/**
 * Converts the error for a missing file to null, because the console may have deleted the file since its row was read.
 */
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
