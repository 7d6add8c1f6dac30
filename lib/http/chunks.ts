import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/**
 * Bytes on their way to the store. They stay the caller's: a failure of the store leaves the stream where it is,
 * neither drained nor destroyed, so that an HTTP request can still be answered; only an aborted signal ends it.
 */
export type ByteStream = Readable | ReadableStream<Uint8Array>;

/** A source that reuses its chunks after their reader has released them. */
export interface Recycling {
  recycle(chunk: Uint8Array): void;
}

export function recycles(source: object): source is Recycling {
  return "recycle" in source;
}

/** A part of a source, which stays as it is until it is released. */
export interface Piece {
  bytes: Uint8Array;
  release(): void;
}

/** A source that is taken piece by piece instead of being read as a stream. */
export interface Pieces {
  /** Takes the next piece; null at the end. Each is released before the next one is taken. */
  nextPiece(): Promise<Piece | null>;
}

export function hasPieces<Source extends object>(source: Source): source is Source & Pieces {
  return "nextPiece" in source;
}

/** A body that is told how many of its bytes were sent, each time some were. */
export interface Counted {
  bytesSent(count: number): void;
}

export function isCounted<Source extends object>(source: Source): source is Source & Counted {
  return "bytesSent" in source;
}

/** Has a body tell how many of its bytes were sent: given to the system, which sends them to the client. */
export function countSent(body: Readable, bytesSent: Counted["bytesSent"]): void {
  Object.assign(body, { bytesSent } satisfies Counted);
}

/**
 * Frees a chunk's memory at once, unless the chunk is only a part of it. Left to the garbage collector, every 50 MB
 * that pass through cost a full collection of the heap.
 */
export function freeChunk({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Resolves once one of some events has happened. */
export function oneOf(emitter: NodeJS.EventEmitter, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) emitter.off(event, done);
      resolve();
    };
    for (const event of events) emitter.on(event, done);
  });
}

/** The next chunk of a source; null at its end. @throws the error that the source failed with */
export async function nextChunk(source: Readable): Promise<Uint8Array | null> {
  for (;;) {
    const chunk: Uint8Array | null = source.read();
    if (chunk !== null) return chunk;
    if (source.readableEnded) return null;
    if (source.destroyed) throw source.errored ?? new Error("the body was interrupted");
    await oneOf(source, ["readable", "end", "error", "close"]);
  }
}

/**
 * Yields the chunks of a body as they arrive. A chunk is valid until the next one is requested; a body that recycles
 * its chunks gets it back then. If the caller stops early, the body is left as it is. An abort ends the body, even
 * while it sends nothing.
 * @throws what the body or the signal throws; TypeError on a chunk that is not bytes
 */
export async function* chunksOf(body: ByteStream, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  signal?.throwIfAborted();
  const chunks = body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : chunksOfWeb(body, signal);
  // One promise a chunk: racing each against one of the signal would pile up reactions on that one.
  let interrupt: ((reason: unknown) => void) | undefined;
  const abort = () => {
    interrupt?.(signal?.reason);
    if (body instanceof Readable) body.destroy();
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        interrupt = reject;
        chunks.next().then(resolve, reject);
      });
      if (next.done) return;
      if (!(next.value instanceof Uint8Array)) throw new TypeError("a body must give bytes");
      if (next.value.length > 0) yield next.value;
      if (recycles(body)) body.recycle(next.value);
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    const left = chunks.return?.(undefined);
    // A body that was ended may never answer.
    if (signal?.aborted) left?.catch(() => {});
    else await left;
  }
}

async function* chunksOfWeb(
  body: Exclude<ByteStream, Readable>,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void, void> {
  const reader = body.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    reader.releaseLock();
  }
}
