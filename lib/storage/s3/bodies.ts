import type { Hash } from "node:crypto";
import { Readable } from "node:stream";
import { StorageError } from "../driver";
import { s3Error, unexpectedAnswer } from "./errors";

/** A stretch of a body, as long as a part; the bytes are good until the piece after the next is asked for. */
export interface Piece {
  bytes: Buffer;
  isLast: boolean;
}

/**
 * Collects a part, whose length the store wants to know first.
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
 * arrives. There is always a last piece, which may be empty only where the whole body is.
 * @throws StorageError too_large as soon as more than `maxBytes` came
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
 * A stream of what the store sends. It ends with its connection to the store, also where nobody has read of it yet: a
 * generator that was not begun would leave that open.
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
 * What the store sends, checked for its length. A store that stands still while somebody waits for bytes is away;
 * a slow reader is not its fault.
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
