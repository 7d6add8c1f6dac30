import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Piece, Pieces } from "@/lib/http/chunks";
import { StorageError } from "../driver";
import { BLOCK_BYTES as SHARED_BLOCK_BYTES, type SharedBlocks, type SharedFile } from "./shared-blocks";

const BLOCK_BYTES = 512 * 1024;
/** Blocks of a file that are read ahead. */
const READ_AHEAD = 2;

/** A file that is read, and where. */
interface FileReadOptions {
  /** The bytes from `start` to `end`, exclusive, are read. */
  start: number;
  end: number;
  /** Of the file, in bytes. */
  size: number;
  /** Identifies the file and its version. */
  identity: string;
  /** The blocks of files that are read piece by piece. */
  shared: SharedBlocks;
  /** Converts an error of the file system into the error of the stream. */
  failed(error: unknown): Error;
}

/**
 * A stream over a file in blocks; it closes the file at its end. A reader can return a block to be
 * filled again: fresh memory for each would keep the garbage collector busier than the disk.
 *
 * Instead of being read as a stream, it can be taken piece by piece, of blocks that it shares with others that read the file
 * (docs/decisions/012-downloads-past-the-web-stream.md).
 */
export class FileRead extends Readable implements Pieces {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #end: number;
  readonly #identity: string;
  readonly #blocks: SharedBlocks;
  readonly #failed: (error: unknown) => Error;
  readonly #free: Buffer[] = [];
  #joining: Promise<SharedFile> | undefined;
  #shared: SharedFile | undefined;
  #position: number;

  constructor(file: FileHandle, options: FileReadOptions) {
    // Blocks stay blocks: a stream of bytes would join and copy them.
    super({ objectMode: true, highWaterMark: READ_AHEAD });
    this.#file = file;
    this.#position = options.start;
    this.#size = options.size;
    this.#end = options.end;
    this.#identity = options.identity;
    this.#blocks = options.shared;
    this.#failed = options.failed;
  }

  /** Takes the next piece of the file; null at its end. @throws StorageError */
  async nextPiece(): Promise<Piece | null> {
    if (this.destroyed)
      throw this.errored ?? new StorageError("unavailable", { cause: new Error("the file was closed") });
    if (this.#position >= this.#end) return null;
    this.#joining ??= this.#blocks.join(this.#identity, this.#file);
    try {
      this.#shared ??= await this.#joining;
      const file = this.#shared;
      const index = Math.floor(this.#position / SHARED_BLOCK_BYTES);
      const block = await file.take(index, this.#size);
      const begin = index * SHARED_BLOCK_BYTES;
      const bytes = block.subarray(this.#position - begin, this.#end - begin);
      this.#position = begin + block.length;
      return { bytes, release: () => file.release(index) };
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Takes back a block that is no longer read. */
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
    this.#close().then(
      () => done(error),
      (closing) => done(error ?? this.#failed(closing)),
    );
  }

  async #close(): Promise<void> {
    if (this.#joining === undefined) return this.#file.close();
    await this.#joining;
    return this.#blocks.leave(this.#identity);
  }
}
