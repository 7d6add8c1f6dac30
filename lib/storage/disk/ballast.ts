import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import { ballastFile, mustReleaseBallast } from "./ballast-file.mjs";

const MIB = 1024 * 1024;
/**
 * On a full disk, PostgreSQL needs 16 MiB for the next segment of its log, and some more for the statements that free
 * room.
 */
const MAX_BALLAST_BYTES = 64 * MIB;

/** Bytes of the ballast that goes with a reserve. */
export function ballastBytes(reserveBytes: number): number {
  return Math.min(MAX_BALLAST_BYTES, Math.floor(reserveBytes / 4));
}

/**
 * A file in the data folder that only occupies room. Uploads leave a reserve, but other programs and the database can
 * still fill the disk. On a full disk, nothing can be deleted either, because a deletion writes a record of the audit
 * log. The ballast is removed then, so that there is room for deletions, and written again when there is enough room.
 */
export class Ballast {
  readonly #file: string;
  readonly #bytes: number;
  readonly #reserveBytes: number;
  readonly #freeBytes: () => Promise<number>;

  /** @param options.freeBytes of the data folder's file system */
  constructor(options: { dataDir: string; reserveBytes: number; freeBytes: () => Promise<number> }) {
    this.#file = ballastFile(options.dataDir);
    this.#bytes = ballastBytes(options.reserveBytes);
    this.#reserveBytes = options.reserveBytes;
    this.#freeBytes = options.freeBytes;
  }

  /** Removes or writes the file, depending on the free space. @returns what it did; null if there was nothing to do */
  async adjust(): Promise<{ kind: "released" | "restored"; freeBytes: number } | null> {
    const freeBytes = await this.#freeBytes();
    const found = await lstat(this.#file).catch(() => null);
    if (found && mustReleaseBallast(freeBytes, found.size)) {
      await rm(this.#file);
      return { kind: "released", freeBytes };
    }
    if (found?.size === this.#bytes || freeBytes < this.#reserveBytes + this.#bytes) return null;
    await this.#write();
    return { kind: "restored", freeBytes };
  }

  async #write(): Promise<void> {
    // An earlier ballast is too short after a crash, and has another size after a change of the reserve.
    await rm(this.#file, { force: true });
    let file: FileHandle | undefined;
    try {
      file = await open(this.#file, "wx", 0o600);
      // Zeros would occupy no room on a file system with compression.
      const chunk = randomBytes(MIB);
      for (let left = this.#bytes; left > 0; left -= chunk.length) {
        await file.writeFile(chunk.subarray(0, Math.min(left, chunk.length)));
      }
      await file.datasync();
    } catch (error) {
      await rm(this.#file, { force: true });
      throw error;
    } finally {
      await file?.close();
    }
  }
}
