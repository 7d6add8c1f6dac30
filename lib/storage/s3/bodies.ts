import type { Hash } from "node:crypto";
import { Readable } from "node:stream";
import { StorageError } from "../driver";
import { s3Error, unexpectedAnswer } from "./errors";

/** A piece of a body, as long as a part. Its bytes are valid until the piece after the next one is requested. */
export interface Piece {
  bytes: Buffer;
  isLast: boolean;
}

/**
 * Collects a part, because the store requires its length first.
 * @throws StorageError invalid_parts for another length
 */
export async function wholePart(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Buffer> {
  const part = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for await (const chunk of chunks) {
    if (filled + chunk.length > length) throw new StorageError("invalid_parts");
    part.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < length) throw new StorageError("invalid_parts");
  return part;
}

/**
 * Cuts a body into pieces, hashing it on the way. Two buffers take turns, so that one piece is sent while the next
 * arrives. There is always a last piece, which is empty only if the whole body is empty.
 * @throws StorageError too_large as soon as more than `maxBytes` have arrived
 */
export async function* inPieces(
  chunks: AsyncIterable<Uint8Array>,
  { pieceSize, maxBytes, hash }: { pieceSize: number; maxBytes: number; hash: Hash },
): AsyncGenerator<Piece, void, void> {
  let filling: Buffer = Buffer.allocUnsafeSlow(pieceSize);
  let other: Buffer | undefined;
  let filled = 0;
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > maxBytes) throw new StorageError("too_large");
    hash.update(chunk);
    let rest = chunk;
    while (rest.length > 0) {
      if (filled === pieceSize) {
        yield { bytes: filling, isLast: false };
        [filling, other] = [other ?? Buffer.allocUnsafeSlow(pieceSize), filling];
        filled = 0;
      }
      const taken = rest.subarray(0, pieceSize - filled);
      filling.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
    }
  }
  yield { bytes: filling.subarray(0, filled), isLast: true };
}

/**
 * A stream of the body that the store sends. Destroying it closes the connection to the store, also if nothing was
 * read: a generator that was not started would leave the connection open.
 * @param chunks of the body, checked
 */
export function storedStream(body: Readable, chunks: AsyncGenerator<Uint8Array>): Readable {
  return new Readable({
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      body.destroy();
      done(error);
    },
  });
}

/**
 * The chunks that the store sends, with a check of their length. The store counts as unavailable if it sends nothing
 * while a reader waits; a slow reader does not matter.
 */
export async function* exactly(body: Readable, length: number, stall: number): AsyncGenerator<Uint8Array> {
  const startWaiting = () => setTimeout(() => body.destroy(new Error("the store sends nothing")), stall);
  let received = 0;
  let timer = startWaiting();
  try {
    for await (const chunk of body) {
      clearTimeout(timer);
      received += (chunk as Uint8Array).length;
      if (received > length) throw unexpectedAnswer("a longer object");
      yield chunk as Uint8Array;
      timer = startWaiting();
    }
  } catch (error) {
    throw s3Error("GetObject", error);
  } finally {
    clearTimeout(timer);
  }
  if (received !== length) throw unexpectedAnswer("a shorter object");
}
