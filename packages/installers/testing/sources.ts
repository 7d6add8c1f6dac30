import type { ByteSource } from "../src/source";

/** A source that counts the reads of another one. */
export interface CountingSource extends ByteSource {
  /** The bytes read so far. */
  readonly bytesRead: number;
  /** The number of calls of `read`. */
  readonly reads: number;
}

/** Counts the reads of a source. */
export function countingSource(inner: ByteSource): CountingSource {
  const count = { bytesRead: 0, reads: 0 };
  return {
    size: inner.size,
    get bytesRead() {
      return count.bytesRead;
    },
    get reads() {
      return count.reads;
    },
    read: async (offset, length) => {
      count.reads++;
      count.bytesRead += length;
      return inner.read(offset, length);
    },
  };
}
