import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Exchange } from "../exchange";
import { bodyRest } from "./console-response";

/** The bytes that a client has to transfer, in both directions together, in this time while the server waits for it. */
export const MIN_FLOW = { bytes: 64 * 1024, ms: 75_000 };
/** How long the rest of a request body is read after the response, in milliseconds. */
export const LINGER_MS = 10_000;
/** The largest number of requests under way on one connection. Browsers and proxies do not pipeline. */
export const MAX_PIPELINED = 32;

/**
 * Whether an exchange waits for the server: the server has received data to process, and has nothing to send. Joining
 * the parts of a large upload takes minutes without a byte.
 */
function isServersTurn({ request, response, awaitsContinue }: Exchange): boolean {
  const hasAll = bodyRest(request) === 0 || request.readableLength > 0 || awaitsContinue;
  return hasAll && !response.writableEnded && response.writableLength === 0;
}

/** The bytes that the operating system has received from the client and accepted for it. */
function bytesMoved(socket: Socket): number {
  // Socket.bytesWritten includes the queue, in which a block of a download can stay for minutes.
  const handle = (socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null })._handle;
  return socket.bytesRead + (handle ? handle.bytesWritten - handle.writeQueueSize : 0);
}

/** A connection and its requests that are under way. */
class Connection {
  readonly #exchanges = new Set<Exchange>();
  readonly #socket: Socket;
  readonly #ended: (exchange?: Exchange) => void;
  #waitingSince = 0;
  #movedBefore = 0;
  #lingersUntil: number | undefined;
  #closesAfterRest = false;

  /** @param ended called when an exchange has ended, and without one when the rest of a body has been read */
  constructor(socket: Socket, ended: (exchange?: Exchange) => void) {
    this.#socket = socket;
    this.#ended = ended;
    // Node calls this after the last response. Closing a connection with unread bytes resets it, and many clients then
    // lose the response.
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      this.#closesAfterRest = [...this.#exchanges].some(({ request }) => bodyRest(request) > 0);
      if (!this.#closesAfterRest) destroySoon();
    };
    socket.once("close", () => {
      const cutOff = [...this.#exchanges];
      for (const exchange of cutOff) this.#end(exchange);
      this.#endLinger();
      // Before version 24, Node closes the response that is being sent, but not those queued behind it.
      setImmediate(() => {
        for (const { response } of cutOff) if (!response.closed) response.destroy().emit("close");
      });
    });
  }

  /** Whether a request is under way, or the rest of its body is being read. */
  get isBusy(): boolean {
    return this.#exchanges.size > 0 || this.#lingersUntil !== undefined;
  }

  /** Whether the head of a response has been sent for a request that is under way. */
  get hasAnswerBegun(): boolean {
    return [...this.#exchanges].some(({ response }) => response.headersSent);
  }

  begin(exchange: Exchange): void {
    if (this.#exchanges.size === MAX_PIPELINED) this.#socket.destroy();
    if (this.#exchanges.size === 0) this.#restartWait();
    this.#exchanges.add(exchange);
    exchange.response.once("close", () => {
      if (!this.#socket.destroyed) this.#dropRest(exchange.request);
      this.#end(exchange);
    });
  }

  /** Closes the connection if its client does not keep up. */
  check(): void {
    const now = performance.now();
    if (this.#lingersUntil !== undefined) {
      if (now >= this.#lingersUntil) this.#socket.destroy();
    } else if ([...this.#exchanges].some(isServersTurn) || this.#flows()) {
      this.#restartWait();
    } else if (now - this.#waitingSince >= MIN_FLOW.ms) {
      this.#socket.destroy();
    }
  }

  #flows(): boolean {
    return bytesMoved(this.#socket) - this.#movedBefore >= MIN_FLOW.bytes;
  }

  #restartWait(): void {
    this.#waitingSince = performance.now();
    this.#movedBefore = bytesMoved(this.#socket);
  }

  /** Reads and discards the rest of a body, so that the next request can be read or the connection can be closed. */
  #dropRest(request: IncomingMessage): void {
    if (bodyRest(request) > 0) {
      this.#lingersUntil = performance.now() + LINGER_MS;
      request.once("end", () => this.#endLinger());
    }
    // A partially read body flows only with a listener.
    if (!request.readableEnded) request.on("data", () => {}).resume();
  }

  #endLinger(): void {
    if (this.#lingersUntil === undefined) return;
    this.#lingersUntil = undefined;
    if (this.#closesAfterRest) this.#socket.destroySoon();
    this.#ended();
  }

  #end(exchange: Exchange): void {
    if (this.#exchanges.delete(exchange)) this.#ended(exchange);
  }
}

/**
 * The connections of this process's server. Closes those whose client does not keep up:
 * - While the server waits for a client, the client has to transfer `MIN_FLOW`. The duration of an upload or a download is
 *   not limited.
 * - The rest of a body is read for `LINGER_MS` after the response.
 * - Between requests, Node's `headersTimeout` and `keepAliveTimeout` apply.
 */
export class Connections {
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #ended: (exchange: Exchange) => void;
  readonly #waiting = new Set<() => void>();

  /** @param ended called for each exchange that has ended, with or without a response */
  constructor(ended: (exchange: Exchange) => void) {
    this.#ended = ended;
  }

  /** Registers a request. */
  begin(exchange: Exchange): void {
    const { socket } = exchange.request;
    let connection = this.#bySocket.get(socket);
    if (!connection) {
      connection = new Connection(socket, (ended) => {
        if (ended) this.#ended(ended);
        this.#resolveIdle();
      });
      this.#bySocket.set(socket, connection);
      socket.once("close", () => this.#bySocket.delete(socket));
    }
    connection.begin(exchange);
  }

  /** Whether the head of a response has been sent for a request that is under way on this connection. */
  hasAnswerBegun(socket: Socket): boolean {
    return this.#bySocket.get(socket)?.hasAnswerBegun ?? false;
  }

  /** Closes the connections whose clients do not keep up. */
  check(): void {
    for (const connection of this.#bySocket.values()) if (connection.isBusy) connection.check();
  }

  /** Resolves when no request is under way. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.#resolveIdle();
    });
  }

  #resolveIdle(): void {
    if (this.#waiting.size === 0 || [...this.#bySocket.values()].some(({ isBusy }) => isBusy)) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
