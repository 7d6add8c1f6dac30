import { finished, type Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";

/** Resolves once there may be something to read, or nothing more will come. */
function moved(source: Readable): Promise<void> {
  return new Promise((resolve) => {
    const events = ["readable", "end", "error", "close"] as const;
    const done = () => {
      for (const event of events) source.off(event, done);
      resolve();
    };
    for (const event of events) source.on(event, done);
  });
}

/**
 * An answer's bytes as the web stream that a Response takes: the chunks as they are, one whenever one is asked for.
 * (`Readable.toWeb` copies each chunk and keeps a second queue of them, which costs a download of a file half its speed.)
 * The source is destroyed, and what it holds open closed, when the stream is cancelled or the caller goes away, also
 * before anybody has begun to read.
 */
export function replyStream(source: Readable, signal: AbortSignal): ReadableStream<Uint8Array> {
  const leave = () => void source.destroy();
  // Listens for errors too, which would otherwise end the process when nobody is reading.
  finished(source, () => signal.removeEventListener("abort", leave));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const chunk: Uint8Array | null = source.read();
          if (chunk !== null) return controller.enqueue(chunk);
          if (source.readableEnded) return controller.close();
          if (source.destroyed) return controller.error(source.errored ?? new Error("the answer was broken off"));
          await moved(source);
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
