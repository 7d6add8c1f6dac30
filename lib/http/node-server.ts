import "server-only";
import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ReadableStream } from "node:stream/web";
import { freeChunk, type Recycling } from "@/lib/http/chunks";

/** The caller's address, set from the socket over whatever a client sent under this name. */
export const REMOTE_ADDRESS_HEADER = "x-slipway-remote-address";
/** Carries a body's length past Next, which takes Content-Length out of every answer; no client ever sees this name. */
export const LENGTH_HEADER = "x-slipway-length";
/** Which of the exchanges below a request is of; set likewise. */
const EXCHANGE_HEADER = "x-slipway-exchange";

/** The methods that Next hands to a route. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** A connection over which nothing moves for this long is cut, in milliseconds. */
const IDLE_MS = 75_000;

// Kept outside the module: the start and the routes are bundled apart and must see the same exchanges.
const kept = globalThis as { slipwayExchanges?: Map<string, Exchange> };

/** A request that is being answered. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

function exchangesById(): Map<string, Exchange> {
  kept.slipwayExchanges ??= new Map();
  return kept.slipwayExchanges;
}

/**
 * Whether it is this server that holds an exchange up: it has all that the client sent, and nothing that the client
 * has yet to take. Joining the parts of a large upload is minutes without a byte.
 */
function isOurTurn({ request, response }: Exchange): boolean {
  const hasAll = request.complete || request.readableLength > 0;
  return hasAll && !response.writableEnded && response.writableLength === 0;
}

/** The connections of this process's server. */
export interface HttpConnections {
  /** Resolves once nothing is being answered any more. */
  idle(): Promise<void>;
  /** From now on an answer is the last one on its connection. */
  answerLast(): void;
  /** Takes no new connections, and ends those over which nothing is under way as soon as that is so. */
  close(): void;
  /** Ends all connections, whatever is under way. */
  destroy(): void;
}

/**
 * Sets what Next's own server leaves at Node's defaults, from the first request on:
 * - `requestTimeout` (300 s for a whole request) would end a slow upload with 408; instead, a connection is cut when
 *   the client has moved no byte for 75 s. Headers still have to arrive within Node's `headersTimeout`.
 * - the caller's address is taken from the socket and written over whatever a client claims it to be.
 * - an answer says its length (`LENGTH_HEADER`), and with `https` that the console is to be had over HTTPS alone (HSTS).
 * - a method that no route can have is answered as a wrong one: Next would fail over TRACE, which fetch's Request
 *   refuses, and shows a page for others.
 * - requests and their answers are kept while they are under way, for `messageBody` and `responseTo`.
 *
 * @param options.idleMs 75 seconds unless said otherwise
 * @param options.https whether the console's own address is an https one
 */
export function prepareHttpServer({ idleMs = IDLE_MS, https = false } = {}): HttpConnections {
  const exchanges = new Map<Socket, Exchange>();
  const servers = new Set<Server>();
  const waiting = new Set<() => void>();
  let last = false;

  const prepareServer = (server: Server) => {
    servers.add(server);
    server.requestTimeout = 0;
    // A proxy in front must be the one that gives an idle connection up, or it would now and then use a dead one.
    server.keepAliveTimeout = idleMs;
    // Without a listener, Node itself cuts the connection.
    server.on("timeout", (socket) => {
      const exchange = exchanges.get(socket);
      if (exchange && isOurTurn(exchange)) socket.setTimeout(idleMs);
      else socket.destroy();
    });
  };
  const begin = (exchange: Exchange) => {
    const { socket } = exchange.request;
    exchanges.set(socket, exchange);
    exchange.response.once("close", () => {
      // A request that the client sent ahead may have taken its place.
      if (exchanges.get(socket) === exchange) exchanges.delete(socket);
      if (exchanges.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting.clear();
    });
  };

  subscribe("http.server.request.start", (event) => {
    const { request, response, server } = event as Exchange & { server: Server };
    sayLength(response);
    if (https) response.setHeader("Strict-Transport-Security", "max-age=31536000");
    if (!METHODS.has(request.method ?? "")) request.method = "OPTIONS";
    if (!servers.has(server)) prepareServer(server);
    begin({ request, response });
    if (last) response.setHeader("Connection", "close");
    request.socket.setTimeout(idleMs);
    request.headers[REMOTE_ADDRESS_HEADER] = request.socket.remoteAddress ?? "";
    const id = randomUUID();
    request.headers[EXCHANGE_HEADER] = id;
    exchangesById().set(id, { request, response });
    response.once("close", () => exchangesById().delete(id));
  });

  return {
    idle: () => (exchanges.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve))),
    answerLast: () => {
      last = true;
    },
    close: () => {
      last = true;
      for (const server of servers) server.close();
    },
    destroy: () => {
      for (const server of servers) server.closeAllConnections();
    },
  };
}

/** Has an answer say its length where LENGTH_HEADER names it: downloads without one show no progress. */
function sayLength(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    name.toLowerCase() === LENGTH_HEADER ? setHeader("Content-Length", String(value)) : setHeader(name, value);
}

/** Resolves once there may be something to read, or nothing more will come. */
function moved(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const events = ["readable", "end", "error", "close"] as const;
    const done = () => {
      for (const event of events) message.off(event, done);
      resolve();
    };
    for (const event of events) message.on(event, done);
  });
}

/**
 * A request's body straight from its connection. The body that Next hands to a route is a copy of each chunk, which
 * for a gigabyte costs seconds of garbage collection. Read the one or the other, never both. Its chunks are its
 * reader's alone, and are freed at once where the reader gives them back.
 * @returns null where the request did not come in over HTTP (a test made it)
 */
export function messageBody(headers: Headers): (ReadableStream<Uint8Array> & Recycling) | null {
  const message = exchangesById().get(headers.get(EXCHANGE_HEADER) ?? "")?.request;
  if (!message || (message.method !== "POST" && message.method !== "PUT")) return null;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const chunk: Uint8Array | null = message.read();
          if (chunk !== null) return controller.enqueue(chunk);
          if (message.readableEnded) return controller.close();
          if (message.destroyed) return controller.error(message.errored ?? new Error("the connection was lost"));
          await moved(message);
        }
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(body, { recycle: freeChunk });
}

/**
 * What a request is answered by.
 * @returns null where the request did not come in over HTTP (a test made it)
 */
export function responseTo(headers: Headers): ServerResponse | null {
  return exchangesById().get(headers.get(EXCHANGE_HEADER) ?? "")?.response ?? null;
}
