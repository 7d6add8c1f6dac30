import type { ServerResponse } from "node:http";
import { finished, type Readable } from "node:stream";
import { recycles } from "@/lib/http/chunks";

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

/** The next chunk of a source; null at its end. @throws the error that the source failed with */
async function nextChunk(source: Readable): Promise<Uint8Array | null> {
  for (;;) {
    const chunk: Uint8Array | null = source.read();
    if (chunk !== null) return chunk;
    if (source.readableEnded) return null;
    if (source.destroyed) throw source.errored ?? new Error("the body was interrupted");
    await oneOf(source, ["readable", "end", "error", "close"]);
  }
}

/**
 * Sends a body to its client, chunk by chunk as fast as the client takes them, and ends the response. A source that reuses
 * its chunks gets each back as soon as the system has taken it (docs/decisions/012-downloads-past-the-web-stream.md).
 *
 * If the client disconnects, the source is destroyed and what it holds open is closed. If the source fails, the connection
 * is closed, so that the client does not take the part for the whole.
 * @throws the error that the source failed with
 */
export async function sendStream(source: Readable, response: ServerResponse): Promise<void> {
  const leave = () => void source.destroy();
  // Listens for errors too, which would otherwise end the process.
  finished(source, () => response.off("close", leave));
  if (response.destroyed) leave();
  else response.once("close", leave);
  try {
    for (let chunk = await nextChunk(source); chunk !== null; chunk = await nextChunk(source)) {
      if (response.write(chunk)) continue;
      await oneOf(response, ["drain", "close"]);
      if (response.destroyed) return;
      if (recycles(source)) source.recycle(chunk);
    }
    response.end();
  } catch (error) {
    const isClientGone = response.destroyed;
    response.destroy();
    if (!isClientGone) throw error;
  }
}
