import { pipeline, Readable, type Transform } from "node:stream";

/** A piece of a stream. */
export interface Piece {
  bytes: Buffer;
  isLast: boolean;
}

/**
 * Splits a stream into pieces of `size` bytes; the last one can be shorter, and is empty only if the stream is.
 * @param firstSize the size of the first piece, if it differs
 */
export async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  size: number,
  firstSize = size,
): AsyncGenerator<Piece> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let wanted = firstSize;
  for await (const chunk of content) {
    let rest = chunk;
    // A full piece is returned when another byte follows, since only then is it known not to be the last one.
    while (pendingBytes + rest.length > wanted) {
      const taken = wanted - pendingBytes;
      yield { bytes: Buffer.concat([...pending, rest.subarray(0, taken)]), isLast: false };
      rest = rest.subarray(taken);
      pending = [];
      pendingBytes = 0;
      wanted = size;
    }
    if (rest.length > 0) {
      pending.push(rest);
      pendingBytes += rest.length;
    }
  }
  yield { bytes: Buffer.concat(pending), isLast: true };
}

/** Reads a stream by numbers of bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#chunks = content[Symbol.asyncIterator]();
  }

  /** The next bytes; fewer at the end of the stream. */
  async read(size: number): Promise<Buffer> {
    while (this.#pendingBytes < size) {
      const next = await this.#chunks.next();
      if (next.done) break;
      this.#pending.push(next.value);
      this.#pendingBytes += next.value.length;
    }
    const all = Buffer.concat(this.#pending);
    this.#pending = all.length > size ? [all.subarray(size)] : [];
    this.#pendingBytes = Math.max(0, all.length - size);
    return all.subarray(0, size);
  }

  /** Reads to the end of the stream, so that its source notices whether it is complete. */
  async drain(): Promise<void> {
    this.#pending = [];
    while (!(await this.#chunks.next()).done);
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

/** Compresses or decompresses a stream. An error of the stream is one of the result. */
export function throughZlib(content: AsyncIterable<Uint8Array>, transform: Transform): AsyncIterable<Uint8Array> {
  // The error reaches the reader of `transform`.
  pipeline(Readable.from(content, { objectMode: false }), transform, () => {});
  return transform;
}
