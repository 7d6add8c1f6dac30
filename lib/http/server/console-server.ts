import "server-only";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { activity } from "../activity";
import { type Exchange, runInExchange } from "../exchange";
import { type CompleteReply, sendReply } from "../reply";
import { REMOTE_ADDRESS_HEADER } from "../request-facts";
import { Connections } from "./connections";
import { ConsoleResponse } from "./console-response";
import type { Listener } from "./listener";
import { beginsTls, type TlsListener } from "./tls";

/** The methods that are passed on. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** How long the headers of a request may take to arrive, in milliseconds; Node checks every 30 seconds. */
const HEADERS_TIMEOUT_MS = 30_000;
/** How long an idle connection is kept, in milliseconds; longer than a proxy keeps it, which might otherwise use a closed one. */
const KEEP_ALIVE_MS = 75_000;
/** How often connections are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;
/**
 * Connections that the kernel accepts before this process does; the kernel has a limit of its own (`somaxconn`). It drops others,
 * and their clients try again after 1, 3, 7 … 63 seconds. Node's default of 511 is too few for a thousand testers at once.
 */
const BACKLOG = 4096;
/**
 * How many turns of the event loop are taken before the server stops listening. Each accepts one connection that the operating
 * system has opened for it; those that are left are reset, and a proxy does not repeat their requests.
 */
const ACCEPT_TURNS = 100;
/** How long a connection that was opened before the server stopped listening may take to send its request, in milliseconds. */
const LAST_REQUEST_MS = 500;
/** The shortest time between two lines of the log about clients that speak HTTPS to a port that serves HTTP, in milliseconds. */
const TLS_WARNING_INTERVAL_MS = 60_000;

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

/** The HTTP server of the console. */
export interface ConsoleServer {
  /** Node's server, for an upgrade listener of the development server. */
  readonly http: Server;
  /** Listens at an address. Resolves when connections are accepted. */
  listen(port: number, host: string): Promise<void>;
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

/** What a console server is made of. */
interface ConsoleServerOptions {
  /** Whether browsers are to use the console over https only, for a year (RFC 6797). */
  hsts?: boolean;
  /** Rejects requests before anything else sees them. */
  gate?: Gate | null;
  /** Answers some requests in the place of `answer`. */
  listener?: Listener | null;
  /** At the same time; unlimited by default. */
  maxConnections?: number | undefined;
  /** Called with each request before it is answered. */
  onRequest?: ((exchange: Exchange) => void) | undefined;
  /** Serves HTTPS too, on the same port. */
  tls?: TlsListener | undefined;
}

/**
 * Makes the HTTP server of the console (docs/decisions/033-the-console-owns-its-server.md). A request passes, in this order, the gate,
 * the listener for the API and static files, and Next, all within its exchange.
 * - `Connections` replaces Node's `requestTimeout`, which would end a slow upload after 300 s.
 * - `REMOTE_ADDRESS_HEADER` is set from the socket, over what a client sent under this name.
 * - Every response has `DEFAULT_HEADERS`, `X-Request-Id` and, with `hsts`, HSTS.
 * - A method that Next does not support becomes OPTIONS, which routes reject as a wrong method. Next fails on TRACE and shows a page for
 *   others.
 * - Without an upgrade listener, requests for an upgrade are handled as ordinary ones (RFC 9110, section 7.8).
 * - `Expect: 100-continue` is answered when the body is read.
 *
 * @param answer answers what the gate and the listener pass on: Next's request handler
 */
export function createConsoleServer(answer: RequestListener, options: ConsoleServerOptions = {}): ConsoleServer {
  const { hsts = false, gate = null, listener = null, maxConnections, onRequest, tls } = options;
  const defaults = Object.entries({
    ...DEFAULT_HEADERS,
    ...(hsts && { "Strict-Transport-Security": "max-age=31536000" }),
  });
  const connections = new Connections(() => {
    activity.get().requests -= 1;
  });
  let last = false;

  const begin = (request: IncomingMessage, response: ConsoleResponse, awaitsContinue: boolean): Exchange => {
    const acceptEncoding = request.headers["accept-encoding"];
    const exchange: Exchange = { id: newId(), request, response, acceptEncoding, awaitsContinue };
    response.completeHeadWith({ headers: [...defaults, ["X-Request-Id", exchange.id]], isLast: () => last });
    if (!METHODS.has(request.method ?? "")) request.method = "OPTIONS";
    request.headers[REMOTE_ADDRESS_HEADER] = request.socket.remoteAddress ?? "";
    activity.get().requests += 1;
    connections.begin(exchange);
    onRequest?.(exchange);
    return exchange;
  };

  const handle = (request: IncomingMessage, response: ConsoleResponse, awaitsContinue: boolean) => {
    const exchange = begin(request, response, awaitsContinue);
    if (request.socket.destroyed) return;
    // A listener may pass the request on when another one ends.
    const passOn = () => runInExchange(exchange, () => answer(request, response));
    runInExchange(exchange, () => {
      const refused = gate?.refusal(request);
      if (refused) void sendReply(refused, request, response);
      else if (!listener?.(request, response, passOn)) passOn();
    });
  };

  let tlsWarnedAt = Number.NEGATIVE_INFINITY;
  const warnOfTls = () => {
    if (performance.now() - tlsWarnedAt < TLS_WARNING_INTERVAL_MS) return;
    tlsWarnedAt = performance.now();
    log.warn("a client spoke HTTPS to this port, which serves plain HTTP: its address begins with http://");
  };

  // The gate rejects a request without a host; Node's response would have no body.
  const server = createServer({
    ServerResponse: ConsoleResponse,
    requestTimeout: 0,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: gate === null,
  });
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  server.on("request", (request, response) => handle(request, response, false));
  server.on("checkContinue", (request, response) => handle(request, response, true));
  if (gate) {
    server.on("connect", (request, socket) => {
      const refused = gate.refusal(request);
      if (refused) sendRaw(refused, socket as Socket, defaults);
      else socket.destroy();
    });
    server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
      if (error.rawPacket && beginsTls(error.rawPacket)) warnOfTls();
      // Browsers open connections in advance. Those that were never used get no 408.
      const isSilent = (socket as Socket).bytesRead === 0;
      if (isSilent || !socket.writable || connections.hasAnswerBegun(socket as Socket)) socket.destroy();
      else sendRaw(gate.refusalOfBytes(error.code), socket as Socket, defaults);
    });
  }
  tls?.attach(server);
  server.on("connection", () => {
    activity.get().acceptedConnections += 1;
  });
  const check = setInterval(() => connections.check(), CHECK_INTERVAL_MS).unref();
  server.once("close", () => clearInterval(check));

  return {
    http: server,
    listen: async (port, host) => {
      server.listen({ port, host, backlog: BACKLOG });
      await once(server, "listening");
    },
    idle: () => connections.idle(),
    answerLast: () => {
      last = true;
    },
    close: async () => {
      last = true;
      for (let turn = 0; turn < ACCEPT_TURNS; turn++) await setImmediate();
      server.close();
      await delay(LAST_REQUEST_MS);
    },
    destroy: () => server.closeAllConnections(),
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
