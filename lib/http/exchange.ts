import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { ReadableStream } from "node:stream/web";
import { newId } from "@/lib/kernel/ids";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { freeChunk, nextChunk, type Recycling } from "./chunks";
import type { ConsoleResponse } from "./server/console-response";

/** A request and its response. */
export interface Exchange {
  /** Names the request in its answer, in the log and in the audit log. */
  id: string;
  request: IncomingMessage;
  response: ConsoleResponse;
  /** The header of this name. The routes that Next calls compress their responses by it, and Next does not. */
  acceptEncoding: string | undefined;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  awaitsContinue: boolean;
}

const current = processSingleton("http-exchange", () => new AsyncLocalStorage<Exchange>());

/** Calls a function. It, and what it starts, belongs to an exchange. */
export function runInExchange<Value>(exchange: Exchange, work: () => Value): Value {
  return current.get().run(exchange, work);
}

/** The exchange that the caller works for; undefined for work that did not begin with a request of the HTTP server (jobs, tests). */
export function currentExchange(): Exchange | undefined {
  return current.get().getStore();
}

/** The ID of the current request, which its response has as `X-Request-Id`; a new one without a request. */
export function requestId(): string {
  return currentExchange()?.id ?? newId();
}

/**
 * The body of the current request, straight from its connection. The body that Next hands to a route is a copy of each chunk, which
 * for a gigabyte costs seconds of garbage collection (docs/decisions/006-bodies.md). Read the one or the other, never both. Its chunks
 * belong to its reader alone, and are freed at once if the reader gives them back.
 * @returns null without a request of the HTTP server, and for a request whose method has no body
 */
export function messageBody(): (ReadableStream<Uint8Array> & Recycling) | null {
  const exchange = currentExchange();
  if (!exchange || (exchange.request.method !== "POST" && exchange.request.method !== "PUT")) return null;
  const { request: message, response } = exchange;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (exchange.awaitsContinue) {
          exchange.awaitsContinue = false;
          if (!response.headersSent) response.writeContinue();
        }
        const chunk = await nextChunk(message);
        if (chunk === null) controller.close();
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(body, { recycle: freeChunk });
}
