import "server-only";
import { subscribe } from "node:diagnostics_channel";
import { type IncomingMessage, type RequestListener, Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ReadableStream } from "node:stream/web";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { activity } from "./activity";
import { freeChunk, type Recycling } from "./chunks";
import { bodyRest, Connections, type Exchange } from "./connections";
import type { Listener } from "./listener";
import { type CompleteReply, sendReply } from "./reply";
import { beginsTls, type TlsListener } from "./tls";

/** The caller's address, set from the socket over whatever a client sent under this name. */
export const REMOTE_ADDRESS_HEADER = "x-slipway-remote-address";
/** Which exchange a request is of; set likewise. */
const EXCHANGE_HEADER = "x-slipway-exchange";

/** The methods that are passed on. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** How long the headers of a request may take to arrive, in milliseconds; Node checks every 30 seconds. */
const HEADERS_TIMEOUT_MS = 30_000;
/** How long an idle connection is kept, in milliseconds; longer than a proxy keeps it, which might otherwise use a closed one. */
const KEEP_ALIVE_MS = 75_000;
/** How often connections are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;
/**
 * How many turns of the event loop are taken before the server stops listening. Each accepts one connection that the operating
 * system has opened for it; those that are left are reset, and a proxy does not repeat their requests.
 */
const ACCEPT_TURNS = 100;
/** How long a connection that was opened before the server stopped listening may take to send its request, in milliseconds. */
const LAST_REQUEST_MS = 500;
/** The shortest time between two lines of the log about clients that speak HTTPS to a port that serves HTTP, in milliseconds. */
const TLS_WARNING_INTERVAL_MS = 60_000;
/** The largest body, in bytes, that is read after the response to keep the connection open. */
const SHORT_BODY_BYTES = 64 * 1024;

/**
 * Headers of every response that does not set them itself: pages have a content security policy with a nonce
 * (`proxy.ts`), and API responses one that allows nothing (`lib/http/headers.ts`).
 */
const DEFAULT_HEADERS = {
  "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

function exchangeOf(headers: Headers): Exchange | undefined {
  return activity.get().exchanges.get(headers.get(EXCHANGE_HEADER) ?? "");
}

/**
 * The status of a response. Next's router loads a page a second time, as a document, if its own request for it is answered
 * with an error; the not-found page arrives complete with the first.
 */
function statusFor(request: IncomingMessage, response: ServerResponse, status: unknown): unknown {
  const isRouterPage = request.headers.rsc === "1" && response.getHeader("Content-Type") === "text/x-component";
  return status === 404 && isRouterPage ? 200 : status;
}

/** Decides on requests before Next's listener is called. */
export interface Gate {
  /** The response to a request that is rejected; null for a request that is passed on. */
  refusal(request: IncomingMessage): CompleteReply | null;
  /**
   * The response to bytes that Node cannot parse as a request.
   * @param code of Node's error: HPE_HEADER_OVERFLOW, ERR_HTTP_REQUEST_TIMEOUT or another one
   */
  refusalOfBytes(code: string | undefined): CompleteReply;
}

/** The connections of this process's server. */
export interface HttpConnections {
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
  /** From now on, each connection is closed after its response. */
  answerLast(): void;
  /**
   * Takes no new connections, and ends those over which nothing is under way as soon as that is so. Resolves when the connections
   * that were just opened have had `LAST_REQUEST_MS` to send their request.
   */
  close(): Promise<void>;
  /** Closes all connections at once. */
  destroy(): void;
}

/**
 * Configures Next's HTTP server, whose options cannot be set, when its first connection arrives
 * (docs/decisions/015-requests-are-checked-before-next.md):
 * - `Connections` replaces Node's `requestTimeout`, which would end a slow upload after 300 s.
 * - `REMOTE_ADDRESS_HEADER` is set from the socket, over what a client sent under this name.
 * - Every response has `DEFAULT_HEADERS`, `X-Request-Id` and, with `hsts`, HSTS.
 * - A method that Next does not support becomes OPTIONS, which routes reject as a wrong method. Next fails on TRACE and
 *   shows a page for others.
 * - The gate is called before Next, and so is the listener for the API and static files
 *   (docs/decisions/021-the-api-is-answered-before-next.md). With a gate, requests for an upgrade are handled as ordinary ones (RFC 9110,
 *   section 7.8), and `Expect: 100-continue` is answered when the body is read.
 * - The not-found page is answered to Next's router with 200, and to everyone else with 404.
 * - Requests and their responses are kept while they are under way, for `messageBody` and `responseTo`.
 *
 * @param options.hsts whether browsers are to use the console over https only, for a year (RFC 6797)
 * @param options.gate null for the development server, which needs upgrades and requests of its own
 * @param options.listener answers some requests in the place of Next; null for the development server
 * @param options.maxConnections at the same time; unlimited by default
 * @param options.onRequest is called with each request before it is answered
 * @param options.tls serves HTTPS too, on the same port; the first connection is only taken over
 */
export function prepareHttpServer(
  options: {
    hsts?: boolean;
    gate?: Gate | null;
    listener?: Listener | null;
    maxConnections?: number | undefined;
    onRequest?: ((exchange: Exchange) => void) | undefined;
    tls?: TlsListener | undefined;
  } = {},
): HttpConnections {
  const { hsts = false, gate = null, listener = null, maxConnections, onRequest, tls } = options;
  const defaults = Object.entries({
    ...DEFAULT_HEADERS,
    ...(hsts && { "Strict-Transport-Security": "max-age=31536000" }),
  });
  const servers = new Set<Server>();
  const connections = new Connections(({ id }) => activity.get().exchanges.delete(id));
  let last = false;

  /** Adds the default headers when the head is written. Set before, they would win over those of pages. */
  const completeHead = ({ id, request, response }: Exchange) => {
    const setHeader = response.setHeader.bind(response);
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
    const flushHeaders = response.flushHeaders.bind(response);
    response.writeHead = (status: unknown, ...head: unknown[]) => {
      for (const [name, value] of defaults) if (!response.hasHeader(name)) setHeader(name, value);
      if (!response.hasHeader("X-Request-Id")) setHeader("X-Request-Id", id);
      if (last || bodyRest(request) > SHORT_BODY_BYTES) response.shouldKeepAlive = false;
      return writeHead(statusFor(request, response, status), ...head);
    };
    // The head is sent together with the body. Many clients close the connection at the head of a refusal, and a proxy
    // that has forwarded only the head then loses the body.
    response.flushHeaders = () => {
      if (!response.hasHeader("Content-Length")) flushHeaders();
    };
  };

  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const exchange: Exchange = { id: newId(), request, response, awaitsContinue: false };
    completeHead(exchange);
    if (!METHODS.has(request.method ?? "")) request.method = "OPTIONS";
    request.headers[REMOTE_ADDRESS_HEADER] = request.socket.remoteAddress ?? "";
    request.headers[EXCHANGE_HEADER] = exchange.id;
    activity.get().exchanges.set(exchange.id, exchange);
    connections.begin(exchange);
    onRequest?.(exchange);
  };

  let tlsWarnedAt = Number.NEGATIVE_INFINITY;
  const warnOfTls = () => {
    if (performance.now() - tlsWarnedAt < TLS_WARNING_INTERVAL_MS) return;
    tlsWarnedAt = performance.now();
    log.warn("a client spoke HTTPS to this port, which serves plain HTTP: its address begins with http://");
  };

  const installGate = (server: Server, { refusal, refusalOfBytes }: Gate) => {
    const routes = server.listeners("request") as RequestListener[];
    const handle: RequestListener = (request, response) => {
      if (request.socket.destroyed) return;
      const refused = refusal(request);
      const passOn = () => {
        for (const route of routes) route.call(server, request, response);
      };
      if (refused) void sendReply(refused, request, response);
      else if (!listener?.(request, response, passOn)) passOn();
    };
    server.removeAllListeners("request");
    server.removeAllListeners("upgrade");
    server.on("request", handle);
    server.on("checkContinue", (request, response) => {
      const exchange = activity.get().exchanges.get(String(request.headers[EXCHANGE_HEADER]));
      if (exchange) exchange.awaitsContinue = true;
      handle(request, response);
    });
    server.on("connect", (request, socket) => {
      const refused = refusal(request);
      if (refused) sendRaw(refused, socket as Socket, defaults);
      else socket.destroy();
    });
    server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
      if (error.rawPacket && beginsTls(error.rawPacket)) warnOfTls();
      // Browsers open connections in advance. Those that were never used get no 408.
      const isSilent = (socket as Socket).bytesRead === 0;
      if (isSilent || !socket.writable || connections.hasAnswerBegun(socket as Socket)) socket.destroy();
      else sendRaw(refusalOfBytes(error.code), socket as Socket, defaults);
    });
    // The gate rejects a request without a host; Node's response would have no body.
    (server as { requireHostHeader?: boolean }).requireHostHeader = false;
  };

  const prepareServer = (server: Server) => {
    servers.add(server);
    server.requestTimeout = 0;
    server.headersTimeout = HEADERS_TIMEOUT_MS;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    if (maxConnections !== undefined) server.maxConnections = maxConnections;
    if (gate) installGate(server, gate);
    tls?.attach(server);
  };

  subscribe("net.server.socket", (event) => {
    activity.get().acceptedConnections += 1;
    const { server } = (event as { socket: Socket & { server?: unknown } }).socket;
    if (server instanceof Server && !servers.has(server)) prepareServer(server);
  });
  subscribe("http.server.request.start", (event) => {
    const { request, response } = event as Exchange;
    begin(request, response);
  });
  setInterval(() => connections.check(), CHECK_INTERVAL_MS).unref();

  return {
    idle: () => connections.idle(),
    answerLast: () => {
      last = true;
    },
    close: async () => {
      last = true;
      for (let turn = 0; turn < ACCEPT_TURNS; turn++) await setImmediate();
      for (const server of servers) server.close();
      await delay(LAST_REQUEST_MS);
    },
    destroy: () => {
      for (const server of servers) server.closeAllConnections();
    },
  };
}

/** Sends a response on a connection without a request, and closes it. */
function sendRaw(reply: CompleteReply, socket: Socket, defaults: readonly [string, string][]): void {
  const body = reply.body ?? "";
  const headers = new Headers([...defaults]);
  for (const [name, value] of reply.headers) headers.set(name, value);
  headers.set("Content-Length", String(Buffer.byteLength(body)));
  headers.set("Connection", "close");
  headers.set("Date", new Date().toUTCString());
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines.join("")}\r\n${body}`, () =>
    socket.destroy(),
  );
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
  const exchange = exchangeOf(headers);
  if (!exchange || (exchange.request.method !== "POST" && exchange.request.method !== "PUT")) return null;
  const { request: message, response } = exchange;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (exchange.awaitsContinue) {
          exchange.awaitsContinue = false;
          if (!response.headersSent) response.writeContinue();
        }
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
  return exchangeOf(headers)?.response ?? null;
}

/** The ID of a request, which its response has as `X-Request-Id`; a new one if it did not arrive over HTTP. */
export function requestIdOf(headers: Headers): string {
  return exchangeOf(headers)?.id ?? newId();
}
