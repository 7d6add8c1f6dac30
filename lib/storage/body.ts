import { Readable } from "node:stream";
import type { ByteStream } from "./driver";

/**
 * The chunks of a body as they come. Leaving early leaves the body as it is; an abort ends it, and is not held up by
 * a body that stands still.
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
