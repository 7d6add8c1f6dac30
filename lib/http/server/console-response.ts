import "server-only";
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";

/** The largest body, in bytes, that is read after the response to keep the connection open. */
const SHORT_BODY_BYTES = 64 * 1024;
const BODY_TAG = "<body>";
const CHANGED_BY_NEXT = ["content-encoding", "content-length", "vary"];

/** What the HTTP server adds to a response when its head is written. */
interface HeadDefaults {
  /** Headers that the response gets unless it sets them itself. */
  headers: readonly (readonly [string, string])[];
  /** Whether the connection ends after this response. */
  isLast: () => boolean;
}

/** The failure of a page that Next is about to answer with a status of its own. */
interface PageFailure {
  status: number;
  /** In seconds. */
  retryAfter: number | undefined;
  /** HTML that is inserted at the beginning of the body of the failed document. */
  html: string | null;
}

/** An upper bound of the body bytes that have not arrived; Infinity for a chunked body. */
export function bodyRest({ complete, headers }: IncomingMessage): number {
  if (complete) return 0;
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Number.POSITIVE_INFINITY;
}

type Chunk = string | Uint8Array;
type Callback = (error?: Error | null) => void;

/** The response of the console's HTTP server. Its head is completed when it is written, so that the headers of pages win. */
export class ConsoleResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #defaults: HeadDefaults | undefined;
  #failure: PageFailure | undefined;
  #kept: Headers | undefined;

  /** Says what the head gets. Without it, the response is Node's. */
  completeHeadWith(defaults: HeadDefaults): void {
    this.#defaults = defaults;
  }

  /**
   * Answers the page that is being rendered with the status of its failure. Next answers a failed page with 500, which says that
   * trying again is of no use, one behind a skeleton with 200, and a missing one with 200 if its shell has been rendered.
   */
  failPage(failure: PageFailure): void {
    this.#failure = failure;
  }

  /** Sends these values of the headers that Next leaves out of the response of a route handler, or adds to it. */
  keepHeaders(headers: Headers): void {
    this.#kept = headers;
  }

  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeaders[string][],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeaders[string][],
  ): this {
    if (this.#defaults) {
      for (const [name, value] of this.#defaults.headers) if (!this.hasHeader(name)) this.setHeader(name, value);
      if (this.#defaults.isLast() || bodyRest(this.req) > SHORT_BODY_BYTES) this.shouldKeepAlive = false;
    }
    if (this.#kept) {
      for (const name of CHANGED_BY_NEXT) {
        const value = this.#kept.get(name);
        if (value === null) this.removeHeader(name);
        else this.setHeader(name, value);
      }
    }
    const args = [reason, headers].filter((argument) => argument !== undefined) as [];
    return super.writeHead(this.#statusFor(status), ...args);
  }

  /**
   * The head is sent together with the body. Many clients close the connection at the head of a refusal, and a proxy that has
   * forwarded only the head then loses the body.
   */
  override flushHeaders(): void {
    if (!this.hasHeader("Content-Length")) super.flushHeaders();
  }

  override write(chunk: Chunk, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    return super.write(this.#withFailure(chunk), encoding as BufferEncoding, callback);
  }

  override end(chunk?: Chunk | (() => void), encoding?: BufferEncoding | (() => void), callback?: () => void): this {
    const last = typeof chunk === "function" || chunk === undefined ? chunk : this.#withFailure(chunk);
    return super.end(last, encoding as BufferEncoding, callback);
  }

  #statusFor(status: number): number {
    const failure = this.#failure;
    if (failure && status === (failure.status === 404 ? 200 : 500)) {
      if (failure.retryAfter !== undefined) this.setHeader("Retry-After", failure.retryAfter);
      return this.#routerStatus(failure.status);
    }
    return this.#routerStatus(status);
  }

  /**
   * Next's router loads a page a second time, as a document, if its own request for it is answered with an error; the not-found page
   * arrives complete with the first.
   */
  #routerStatus(status: number): number {
    const isRouterPage = this.req.headers.rsc === "1" && this.getHeader("Content-Type") === "text/x-component";
    return status === 404 && isRouterPage ? 200 : status;
  }

  #withFailure(chunk: Chunk): Chunk {
    const failure = this.#failure;
    if (!failure?.html || (this.statusCode !== 500 && this.statusCode !== failure.status)) return chunk;
    const bytes = Buffer.from(chunk as Uint8Array);
    const at = bytes.indexOf(BODY_TAG);
    if (at === -1) return chunk;
    const begin = at + BODY_TAG.length;
    const { html } = failure;
    this.#failure = { ...failure, html: null };
    return Buffer.concat([bytes.subarray(0, begin), Buffer.from(html), bytes.subarray(begin)]);
  }
}
