/**
 * Random access to a file's bytes: a Blob in the browser, a stored object on the server.
 * `read` gives exactly `length` bytes from `offset`; a range beyond the end is the caller's error.
 */
export interface ByteSource {
  /** Bytes. */
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A source over bytes in memory. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}

/** A source over a Blob or File; only the ranges asked for are read from disk. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}
