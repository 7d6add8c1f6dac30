import type { ByteSource } from "@slipway/installers";
import { type StorageDriver, StorageError } from "./driver";

const MIN_BLOCK = 4 * 1024;
const MAX_BLOCK = 128 * 1024;
/** A block is about this share of the file, so that the reader of an archive does not fetch much more than it needs. */
const BLOCKS_PER_FILE = 1024;
/** The most that is kept, in bytes; the least recently used blocks go first. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** A longer read, in bytes, is sent to the store unchanged, and its result is not kept. */
const MAX_CACHED_READ = 1024 * 1024;

function blockSizeFor(size: number): number {
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, size / BLOCKS_PER_FILE)));
  return Math.min(MAX_BLOCK, Math.max(MIN_BLOCK, wanted));
}

/** A stored object that is read by ranges. */
export interface RangedObject {
  storageKey: string;
  /** Bytes. */
  size: number;
}

/**
 * Random access to a stored object with few requests to the store: bytes are read in blocks, which are cached, and
 * adjacent blocks are read by one request. Reads may run at the same time.
 * @param size the object's size in bytes, as its row says; reading beyond it is a RangeError
 */
export function storedSource(driver: StorageDriver, key: string, size: number): ByteSource {
  const blockSize = blockSizeFor(size);
  const maxBlocks = Math.ceil(CACHE_BYTES / blockSize);
  /** In the order of their last use. */
  const blocks = new Map<number, Promise<Uint8Array>>();

  const fetchBytes = async (start: number, length: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(length);
    let filled = 0;
    for await (const chunk of await driver.get(key, { start, end: start + length - 1 }, { isPatient: true })) {
      const piece = chunk as Uint8Array;
      if (filled + piece.length > length) break;
      bytes.set(piece, filled);
      filled += piece.length;
    }
    if (filled !== length) throw new StorageError("unavailable", { cause: new Error("the store gave another range") });
    return bytes;
  };

  const remember = (index: number, block: Promise<Uint8Array>) => {
    blocks.set(index, block);
    block.catch(() => {
      if (blocks.get(index) === block) blocks.delete(index);
    });
  };

  /** Fetches blocks in one request and keeps each. */
  const load = (first: number, last: number) => {
    const start = first * blockSize;
    const fetched = fetchBytes(start, Math.min(size, (last + 1) * blockSize) - start);
    for (let index = first; index <= last; index += 1) {
      const from = (index - first) * blockSize;
      // A copy, so that a cached block does not keep adjacent ones in memory.
      remember(
        index,
        fetched.then((bytes) => bytes.slice(from, from + blockSize)),
      );
    }
  };

  const readBlocks = async (offset: number, length: number): Promise<Uint8Array> => {
    const first = Math.floor(offset / blockSize);
    const last = Math.floor((offset + length - 1) / blockSize);
    for (let index = first; index <= last; index += 1) {
      if (blocks.has(index)) continue;
      let end = index;
      while (end < last && !blocks.has(end + 1)) end += 1;
      load(index, end);
      index = end;
    }
    const wanted: Promise<Uint8Array>[] = [];
    for (let index = first; index <= last; index += 1) {
      const block = blocks.get(index) as Promise<Uint8Array>;
      blocks.delete(index);
      blocks.set(index, block);
      wanted.push(block);
    }
    for (const index of blocks.keys()) {
      if (blocks.size <= maxBlocks) break;
      blocks.delete(index);
    }
    const got = await Promise.all(wanted);
    const from = offset - first * blockSize;
    if (got.length === 1) return (got[0] as Uint8Array).subarray(from, from + length);
    const joined = new Uint8Array(got.reduce((sum, block) => sum + block.length, 0));
    let filled = 0;
    for (const block of got) {
      joined.set(block, filled);
      filled += block.length;
    }
    return joined.subarray(from, from + length);
  };

  return {
    size,
    async read(offset, length) {
      if (!(Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0)) {
        throw new RangeError("malformed byte range");
      }
      if (offset + length > size) throw new RangeError("beyond the end of the file");
      if (length === 0) return new Uint8Array(0);
      return length > MAX_CACHED_READ ? fetchBytes(offset, length) : readBlocks(offset, length);
    },
  };
}
