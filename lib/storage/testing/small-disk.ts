import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileSystemStats } from "../disk/space";

const STAT_BLOCK_BYTES = 512;
const BLOCK_BYTES = 4096;

/** A file system as small as a test wants it: what lies in a folder counts as all that is on it. */
export class SmallDisk {
  readonly #folder: string;
  #capacity: number;
  /** The least free bytes that were ever seen. */
  lowest = Number.POSITIVE_INFINITY;

  constructor(folder: string, capacity: number) {
    this.#folder = folder;
    this.#capacity = capacity;
  }

  /** Makes it larger, or smaller: as where somebody else takes room. */
  resize(capacity: number): void {
    this.#capacity = capacity;
  }

  async freeBytes(): Promise<number> {
    const entries = await readdir(this.#folder, { recursive: true });
    const sizes = entries.map((entry) =>
      lstat(join(this.#folder, entry)).then(
        (found) => (found.isFile() ? found.blocks * STAT_BLOCK_BYTES : 0),
        () => 0,
      ),
    );
    const used = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    const free = Math.max(0, this.#capacity - used);
    this.lowest = Math.min(this.lowest, free);
    return free;
  }

  /** For `DiskOptions.statfs`. */
  readonly statfs = async (): Promise<FileSystemStats> => ({
    bavail: Math.floor((await this.freeBytes()) / BLOCK_BYTES),
    bsize: BLOCK_BYTES,
  });
}
