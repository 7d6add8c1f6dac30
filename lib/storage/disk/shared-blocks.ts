import type { FileHandle } from "node:fs/promises";
import { StorageError } from "../driver";

/** The length of a block. Each download holds at most one until its client has taken it. */
export const BLOCK_BYTES = 128 * 1024;
const KEPT_BYTES = 64 * 1024 * 1024;
/** Blocks that are read at the same time. The other threads of libuv's pool stay free for hashes and for files of pages. */
export const MAX_READS = 2;
/** Blocks that are read ahead for a reader while there are few. */
const READ_AHEAD = 2;
/** Memory of dropped blocks that is kept to be filled again. */
const SPARE_BLOCKS = 16;

/** A block of a file. */
interface Block {
  /** Null until it is read. */
  bytes: Buffer | null;
  reading: Promise<void>;
  /** Readers that wait for it or send it. */
  readers: number;
}

/**
 * Blocks that the readers of the same files share: a thousand downloads of one file that are at the same place read it once.
 * A block is kept after its last reader while other readers have the file open and there is room.
 */
export class SharedBlocks {
  readonly #files = new Map<string, SharedFile>();
  readonly #spare: Buffer[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #keptBytes: number;
  #reads = 0;
  #readers = 0;
  #blocks = 0;

  /** @param keptBytes what the blocks of all files may occupy before blocks without a reader are dropped */
  constructor(keptBytes = KEPT_BYTES) {
    this.#keptBytes = keptBytes;
  }

  /**
   * Adds a reader of a file.
   * @param identity names the file and its version
   * @param file is closed at once if the file is open already, and else after its last reader
   */
  async join(identity: string, file: FileHandle): Promise<SharedFile> {
    this.#readers += 1;
    const known = this.#files.get(identity);
    if (known) {
      known.readers += 1;
      // Nothing was written to it.
      await file.close().catch(() => {});
      return known;
    }
    const opened = new SharedFile(file, this);
    this.#files.set(identity, opened);
    return opened;
  }

  /** Removes a reader, who has released its blocks. */
  async leave(identity: string): Promise<void> {
    const file = this.#files.get(identity) as SharedFile;
    this.#readers -= 1;
    file.readers -= 1;
    if (file.readers > 0) return;
    this.#files.delete(identity);
    await file.close();
  }

  /** The number of blocks that exist and of those that are kept to be filled again. */
  get count(): { blocks: number; spare: number } {
    return { blocks: this.#blocks, spare: this.#spare.length };
  }

  /** How many blocks a reader may read ahead: none if that drops blocks that other readers are about to need. */
  get readAhead(): number {
    return this.#readers * (1 + READ_AHEAD) * BLOCK_BYTES <= this.#keptBytes ? READ_AHEAD : 0;
  }

  /** Returns memory for a block. */
  allocate(): Buffer {
    if ((this.#blocks + 1) * BLOCK_BYTES > this.#keptBytes)
      for (const file of this.#files.values()) if (file.dropOne()) break;
    this.#blocks += 1;
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** Takes the memory of a block back that nobody reads. */
  free(memory: Buffer): void {
    this.#blocks -= 1;
    if (this.#spare.length < SPARE_BLOCKS) this.#spare.push(memory);
  }

  /** Runs a read of a block when fewer than {@link MAX_READS} are under way. */
  async inTurn<T>(read: () => Promise<T>): Promise<T> {
    if (this.#reads < MAX_READS) this.#reads += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#reads -= 1;
    }
  }
}

/** A file whose blocks are shared by its readers. */
export class SharedFile {
  readers = 1;
  readonly #file: FileHandle;
  readonly #shared: SharedBlocks;
  /** By their index; the block that was used last is the last one. */
  readonly #blocks = new Map<number, Block>();

  constructor(file: FileHandle, shared: SharedBlocks) {
    this.#file = file;
    this.#shared = shared;
  }

  /**
   * Takes a block until it is released.
   * @param end the bytes of the file
   * @returns the block as far as the file goes; a promise if it has to be read
   * @throws StorageError unavailable if the file is shorter; what the file system throws
   */
  take(index: number, end: number): Buffer | Promise<Buffer> {
    const block = this.#blockAt(index, end);
    block.readers += 1;
    for (let ahead = index + 1; ahead <= index + this.#shared.readAhead && ahead * BLOCK_BYTES < end; ahead++) {
      this.#blockAt(ahead, end);
    }
    if (block.bytes) return block.bytes;
    return block.reading.then(
      () => block.bytes as Buffer,
      (error) => {
        block.readers -= 1;
        throw error;
      },
    );
  }

  release(index: number): void {
    const block = this.#blocks.get(index) as Block;
    block.readers -= 1;
    // No other reader will need it.
    if (this.readers <= 1) this.#drop(index, block);
  }

  /** Drops the block that was not used for the longest time. @returns false if all are in use */
  dropOne(): boolean {
    for (const [index, block] of this.#blocks) if (this.#drop(index, block)) return true;
    return false;
  }

  async close(): Promise<void> {
    const reads = [...this.#blocks.values()].map(({ reading }) => reading.catch(() => {}));
    await Promise.all(reads);
    for (const [index, block] of this.#blocks) this.#drop(index, block);
    await this.#file.close();
  }

  #drop(index: number, { bytes, readers }: Block): boolean {
    if (readers > 0 || bytes === null) return false;
    this.#blocks.delete(index);
    this.#shared.free(memoryOf(bytes));
    return true;
  }

  #blockAt(index: number, end: number): Block {
    const known = this.#blocks.get(index);
    if (known) {
      this.#blocks.delete(index);
      this.#blocks.set(index, known);
      return known;
    }
    const block: Block = { bytes: null, readers: 0, reading: Promise.resolve() };
    block.reading = this.#shared.inTurn(() => this.#fill(block, index, end));
    this.#blocks.set(index, block);
    // A failure is that of the readers who wait for the block.
    block.reading.catch(() => {
      if (this.#blocks.get(index) === block) this.#blocks.delete(index);
    });
    return block;
  }

  async #fill(block: Block, index: number, end: number): Promise<void> {
    const memory = this.#shared.allocate();
    const start = index * BLOCK_BYTES;
    const length = Math.min(BLOCK_BYTES, end - start);
    try {
      for (let filled = 0; filled < length; ) {
        const { bytesRead } = await this.#file.read(memory, filled, length - filled, start + filled);
        if (bytesRead === 0) {
          throw new StorageError("unavailable", { cause: new Error("the file is shorter than it was") });
        }
        filled += bytesRead;
      }
    } catch (error) {
      this.#shared.free(memory);
      throw error;
    }
    block.bytes = length === BLOCK_BYTES ? memory : memory.subarray(0, length);
  }
}

/** The whole memory of a block, of which the last block of a file is a part. */
function memoryOf(bytes: Buffer): Buffer {
  return bytes.length === BLOCK_BYTES ? bytes : Buffer.from(bytes.buffer, 0, BLOCK_BYTES);
}
