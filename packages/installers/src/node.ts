import { open } from "node:fs/promises";
import type { ByteSource } from "./source";

/** A source over a file on disk, to be closed by its owner: `await using source = await openFileSource(path)`. */
export interface FileSource extends ByteSource, AsyncDisposable {}

/**
 * Opens a file as a source; only the ranges asked for are read from disk.
 * @throws the errors of `node:fs` where the file cannot be opened or read, and an Error where it has become shorter
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
