import { open } from "node:fs/promises";
import type { ByteSource } from "./source";

/** A source over a file on disk that its owner closes: `await using source = await openFileSource(path)`. */
export interface FileSource extends ByteSource, AsyncDisposable {}

/**
 * Opens a file as a source; only the requested ranges are read.
 * @throws the errors of `node:fs` when the file cannot be opened or read; an Error when it has become shorter
 */
export async function openFileSource(path: string): Promise<FileSource> {
  const file = await open(path, "r");
  const { size } = await file.stat();
  return {
    size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
        if (bytesRead === 0) throw new Error(`${path} ends before byte ${offset + length}`);
        filled += bytesRead;
      }
      return bytes;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
export { crc32 } from "./encoding/crc32";
export { type PlistValue, parsePlist } from "./property-list/property-list";
