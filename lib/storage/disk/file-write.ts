import type { FileHandle } from "node:fs/promises";
import { freeChunk } from "@/lib/http/chunks";

/** Chunks of 64 KiB, as sockets give them, are gathered to this many bytes for one write. */
const BATCH_BYTES = 512 * 1024;
/** The file is synced after this many bytes, so that not all of them are written to the disk at the end. */
const SYNC_BYTES = 64 * 1024 * 1024;

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

/**
 * Writes a body to a file and syncs it. Two buffers take turns, so that one is written while the other fills, and a
 * slow disk slows the body down. (The chunks are copied: held until they are written, they would outlive the garbage
 * collector's young generation and pile up.)
 * @param options.position where the first byte goes
 * @param options.spend called with a number of bytes before they are written; throws to refuse them
 * @param options.written called with the number of bytes written so far
 * @param options.failed converts an error of the file system into the error that is thrown; errors of the body are
 *   thrown unchanged
 * @returns the number of bytes that arrived
 */
export async function writeBody(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  options: {
    position: number;
    spend?: (bytes: number) => Promise<void>;
    written?: (bytes: number) => void;
    failed: (error: unknown) => Error;
  },
): Promise<number> {
  let filling = Buffer.allocUnsafeSlow(BATCH_BYTES);
  let leaving = Buffer.allocUnsafeSlow(BATCH_BYTES);
  let filled = 0;
  let handedOver = 0;
  let syncedFrom = 0;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();
  /** Work that is awaited later, or not at all if something else fails first. */
  const begin = (work: Promise<void>) => {
    const guarded = work.catch((error) => {
      throw options.failed(error);
    });
    guarded.catch(() => {});
    return guarded;
  };
  const flush = async () => {
    await writing;
    if (handedOver > 0) options.written?.(handedOver);
    await options.spend?.(filled);
    const position = options.position + handedOver;
    writing = begin(writeAll(file, filling.subarray(0, filled), position));
    handedOver += filled;
    filled = 0;
    [filling, leaving] = [leaving, filling];
    if (handedOver - syncedFrom >= SYNC_BYTES) {
      // Each sync's own result counts: an error of writing back is reported to one of them only.
      await syncing;
      syncedFrom = handedOver;
      syncing = begin(file.datasync());
    }
  };
  for await (const chunk of body) {
    for (let rest = chunk; rest.length > 0; ) {
      const taken = rest.subarray(0, BATCH_BYTES - filled);
      filling.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled === BATCH_BYTES) await flush();
    }
  }
  if (filled > 0) await flush();
  await writing;
  options.written?.(handedOver);
  await syncing;
  await begin(file.datasync());
  // Only here is it certain that no write reads them any more.
  freeChunk(filling);
  freeChunk(leaving);
  return handedOver;
}
