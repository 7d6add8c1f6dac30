import type { ServerResponse } from "node:http";
import { finished, type Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { type Recycling, recycles } from "@/lib/http/chunks";

/** Resolves once one of some events has happened. */
function oneOf(emitter: NodeJS.EventEmitter, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) emitter.off(event, done);
      resolve();
    };
    for (const event of events) emitter.on(event, done);
  });
}

/** The next chunk of a source; null at its end. @throws what the source failed with */
async function nextChunk(source: Readable): Promise<Uint8Array | null> {
  for (;;) {
    const chunk: Uint8Array | null = source.read();
    if (chunk !== null) return chunk;
    if (source.readableEnded) return null;
    if (source.destroyed) throw source.errored ?? new Error("the answer was broken off");
    await oneOf(source, ["readable", "end", "error", "close"]);
  }
}

/** Writes all of a source to its client, and gives each chunk back as soon as the system has taken it. */
async function writeOut(source: Readable & Recycling, response: ServerResponse): Promise<void> {
  for (let chunk = await nextChunk(source); chunk !== null; chunk = await nextChunk(source)) {
    if (response.write(chunk)) continue;
    await oneOf(response, ["drain", "close"]);
    if (response.destroyed) throw new Error("the client went away");
    source.recycle(chunk);
  }
}

/**
 * An answer's bytes as the web stream that a Response takes: the chunks as they are, one whenever one is asked for.
 * (`Readable.toWeb` copies each chunk and keeps a second queue of them.) The source is destroyed, and what it holds
 * open closed, when the stream is cancelled or the caller goes away, also before anybody has begun to read.
 *
 * A source that takes its chunks back is written to the client by the stream itself, when it is first read, and the
 * stream then yields nothing: the reader of a web stream does not signal when it is done with a chunk, and without
 * that, each gigabyte costs seconds of garbage collection. What reads the stream is Next's own writer, which has sent
 * nothing but the headers by then and ends the answer when the stream ends.
 * @param response what the answer goes out by; null where it is no HTTP server's
 */
export function replyStream(
  source: Readable,
  signal: AbortSignal,
  response: ServerResponse | null,
): ReadableStream<Uint8Array> {
  const leave = () => void source.destroy();
  // Listens for errors too, which would otherwise end the process when nobody is reading.
  finished(source, () => signal.removeEventListener("abort", leave));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (response && recycles(source)) {
          await writeOut(source, response);
          return controller.close();
        }
        const chunk = await nextChunk(source);
        if (chunk === null) controller.close();
        else controller.enqueue(chunk);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
