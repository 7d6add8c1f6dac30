/**
 * Random access to the bytes of a file: a Blob in a browser, a stored object on a server, a file on disk.
 */
export interface ByteSource {
  /** Bytes. */
  readonly size: number;
  /** Resolves to exactly `length` bytes from `offset`. The range lies within the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A source over bytes in memory. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}

/** A source over a Blob or File; only the requested ranges are read from disk. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}
