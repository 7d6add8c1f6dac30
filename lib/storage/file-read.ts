import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { StorageError } from "./driver";

const BLOCK_BYTES = 512 * 1024;
/** Blocks of a file that are read ahead. */
const READ_AHEAD = 2;

/**
 * A stream over a file in blocks; it closes the file at its end. A reader can return a block to be
 * filled again: fresh memory for each would keep the garbage collector busier than the disk.
 */
export class FileRead extends Readable {
  readonly #file: FileHandle;
  readonly #end: number;
  readonly #failed: (error: unknown) => Error;
  readonly #free: Buffer[] = [];
  #position: number;

  /**
   * @param options.start,end the bytes from `start` up to, not with, `end`
   * @param options.failed turns what the file system threw into what the stream fails with
   */
  constructor(file: FileHandle, options: { start: number; end: number; failed: (error: unknown) => Error }) {
    // Blocks stay blocks: a stream of bytes would join and copy them.
    super({ objectMode: true, highWaterMark: READ_AHEAD });
    this.#file = file;
    this.#position = options.start;
    this.#end = options.end;
    this.#failed = options.failed;
  }

  /** Takes a block back that nobody looks at any more. */
  recycle(block: Uint8Array): void {
    if (block.length === BLOCK_BYTES && this.#free.length <= READ_AHEAD) this.#free.push(block as Buffer);
  }

  override _read(): void {
    if (this.#position >= this.#end) {
      this.push(null);
      return;
    }
    const length = Math.min(BLOCK_BYTES, this.#end - this.#position);
    const block = (length === BLOCK_BYTES && this.#free.pop()) || Buffer.allocUnsafeSlow(length);
    this.#file.read(block, 0, length, this.#position).then(
      ({ bytesRead }) => {
        if (bytesRead === 0) {
          this.destroy(new StorageError("unavailable", { cause: new Error("the file is shorter than it was") }));
          return;
        }
        this.#position += bytesRead;
        this.push(bytesRead === length ? block : block.subarray(0, bytesRead));
      },
      (error) => this.destroy(this.#failed(error)),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#file.close().then(
      () => done(error),
      (closing) => done(error ?? this.#failed(closing)),
    );
  }
}
