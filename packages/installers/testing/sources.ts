import type { ByteSource } from "../src/source";

/** A source that keeps account of what is read from another. */
export interface CountingSource extends ByteSource {
  /** Bytes given so far. */
  readonly bytesRead: number;
  /** Times that it was asked. */
  readonly reads: number;
}

/** Wraps a source so that a test can tell how much of it was read. */
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
