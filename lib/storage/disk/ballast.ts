import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import { ballastFile, mustReleaseBallast } from "./ballast-file.mjs";

const MIB = 1024 * 1024;
/** A PostgreSQL without room needs 16 MiB for the next segment of its log, and some more for what it is asked to do. */
const MAX_BALLAST_BYTES = 64 * MIB;

/** Bytes of the ballast that goes with a reserve. */
export function ballastBytes(reserveBytes: number): number {
  return Math.min(MAX_BALLAST_BYTES, Math.floor(reserveBytes / 4));
}

/**
 * A file in the data folder that only takes room. Uploads leave a reserve, but other programs and the database itself
 * can still fill the disk, and without a byte to write nothing can be deleted either: a deletion is a row of the audit
 * log too. The ballast is removed then, so that there is room to make room, and written again once there is plenty.
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

  /** Removes or writes the file, as the free space asks for. @returns what it did, or null where nothing was to do */
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
    // Cut off by a crash, an earlier one is too short; where the reserve was changed, it has another size.
    await rm(this.#file, { force: true });
    let file: FileHandle | undefined;
    try {
      file = await open(this.#file, "wx", 0o600);
      // Zeros would take no room on a file system that compresses.
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
