import { concatBytes } from "../encoding/bytes";
import type { Archive, ArchiveEntry } from "./archive";
import { findData } from "./prefix";

/** Bytes of the archive that are read at once. */
const PIECE_BYTES = 64 * 1024;
/** The decompressor is fed in chunks of this size, so that it emits at most about 16 MiB before they are counted. */
const INPUT_CHUNK_BYTES = 16 * 1024;
const STORED = 0;
const DEFLATED = 8;

/** A part of a file, in bytes. */
export interface FileRange {
  offset: number;
  length: number;
}

/** How many bytes several entries may be decompressed to, in all. */
export interface InflateBudget {
  bytesLeft: number;
}

/** More bytes were decompressed than the budget allows. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
}

/** The contents of an entry, of which ranges are read in the order of their offsets. They are not checked against its CRC-32. */
export interface EntryReader {
  /** Bytes of the decompressed entry, as the archive declares. */
  readonly size: number;
  /**
   * The bytes of a range; its offset is not before that of the range before it.
   * @returns null if the entry ends before, is damaged or does not say what it is
   * @throws BudgetError
   */
  read(range: FileRange): Promise<Uint8Array | null>;
  /** Ends the decompression. */
  close(): Promise<void>;
}

/**
 * Opens an entry that may be larger than the memory. Ranges of a stored entry are read as they are; a compressed one is
 * decompressed up to the range, and what is before it is dropped.
 * @returns null if it is damaged, encrypted or compressed by another method than deflate
 */
export async function openEntry(
  archive: Archive,
  entry: ArchiveEntry,
  budget: InflateBudget = { bytesLeft: Number.POSITIVE_INFINITY },
): Promise<EntryReader | null> {
  if (entry.method !== STORED && entry.method !== DEFLATED) return null;
  const dataOffset = await findData(archive, entry);
  if (dataOffset === null) return null;
  return entry.method === STORED
    ? new StoredReader(archive, entry, dataOffset)
    : new ForwardReader(entry.uncompressedSize, inflatedPieces(archive, entry, dataOffset), budget);
}

class StoredReader implements EntryReader {
  readonly size: number;

  constructor(
    private readonly archive: Archive,
    { compressedSize }: ArchiveEntry,
    private readonly dataOffset: number,
  ) {
    this.size = compressedSize;
  }

  async read({ offset, length }: FileRange): Promise<Uint8Array | null> {
    if (offset + length > this.size) return null;
    return this.archive.readRange(this.dataOffset + offset, length);
  }

  async close(): Promise<void> {}
}

/** The contents of a compressed entry from its beginning, in pieces. They end early if the entry is damaged. */
async function* inflatedPieces(archive: Archive, entry: ArchiveEntry, dataOffset: number): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  let sourceFailure: unknown;
  const nextPiece = async (offset: number, length: number) => {
    try {
      return await archive.readRange(dataOffset + offset, length);
    } catch (error) {
      sourceFailure = error;
      throw error;
    }
  };
  const feed = async () => {
    for (let done = 0; done < entry.compressedSize; done += PIECE_BYTES) {
      const piece = await nextPiece(done, Math.min(PIECE_BYTES, entry.compressedSize - done));
      for (let at = 0; at < piece.length; at += INPUT_CHUNK_BYTES) {
        await writer.write(new Uint8Array(piece.subarray(at, at + INPUT_CHUNK_BYTES)));
      }
    }
    await writer.close();
  };
  const fed = feed().catch((error) => writer.abort(error).catch(() => undefined));
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
      if (done) break;
      yield value;
    }
  } finally {
    // A reader that stops does not wait for the rest.
    reader.cancel().catch(() => undefined);
    writer.abort().catch(() => undefined);
  }
  await fed;
  if (sourceFailure !== undefined) throw sourceFailure;
}

/** Takes ranges out of pieces that come one after the other. */
class ForwardReader implements EntryReader {
  #kept: Uint8Array[] = [];
  /** The offset of the first kept byte. */
  #start = 0;
  #end = 0;

  constructor(
    readonly size: number,
    private readonly pieces: AsyncGenerator<Uint8Array>,
    private readonly budget: InflateBudget,
  ) {}

  async read({ offset, length }: FileRange): Promise<Uint8Array | null> {
    if (offset < this.#start || offset + length > this.size) return null;
    while (this.#end < offset + length) {
      const { done, value } = await this.pieces.next();
      if (done) return null;
      this.budget.bytesLeft -= value.length;
      if (this.budget.bytesLeft < 0) throw new BudgetError();
      this.#kept.push(value);
      this.#end += value.length;
      this.#drop(offset);
    }
    this.#drop(offset);
    return concatBytes(this.#kept).slice(offset - this.#start, offset - this.#start + length);
  }

  async close(): Promise<void> {
    await this.pieces.return(undefined);
  }

  /** Drops the pieces that end before an offset. */
  #drop(offset: number): void {
    for (let first = this.#kept[0]; first && this.#start + first.length <= offset; first = this.#kept[0]) {
      this.#kept.shift();
      this.#start += first.length;
    }
  }
}
