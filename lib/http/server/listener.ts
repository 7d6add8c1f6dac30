import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { log } from "@/lib/kernel/log";
import { messageBody } from "../exchange";
import { sendReply } from "../reply";
import { type Handler, handlerOf, type RouteRequest, type Routes } from "../routes";
import { resolvedPath } from "../target";

/**
 * Answers a request in the place of Next, or passes it on to Next.
 * @returns false for a request that it neither answers nor passes on
 */
export type Listener = (request: IncomingMessage, response: ServerResponse, passOn: () => void) => boolean;

/** The headers of a request as the web has them. */
export function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string") headers.set(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  return headers;
}

/** A request of the HTTP server as routes read it. */
class ServerRequest implements RouteRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #body: RouteRequest["body"] | undefined;
  #signal: AbortSignal | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.url = `http://localhost${request.url}`;
    this.method = request.method as string;
    this.headers = headersOf(request);
    this.#request = request;
    this.#response = response;
  }

  get body(): RouteRequest["body"] {
    if (this.#body === undefined) {
      const body = messageBody() ?? Readable.toWeb(this.#request);
      this.#body = this.method === "GET" || this.method === "HEAD" ? null : (body as RouteRequest["body"]);
    }
    return this.#body;
  }

  /** Ends when the client disconnects before it has the whole response. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const controller = new AbortController();
    const response = this.#response;
    const leave = () => void (response.writableFinished || controller.abort(new Error("the client disconnected")));
    if (response.destroyed) leave();
    else response.once("close", leave);
    this.#signal = controller.signal;
    return this.#signal;
  }
}

async function answer(handle: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await sendReply(await handle(new ServerRequest(request, response)), request, response);
  } catch (error) {
    log.error({ err: error }, "a response was interrupted");
    response.destroy();
  }
}

/**
 * Answers requests of the API and for static files.
 * @param options.files finds the handler of a static file by its path
 * @param options.accepts which paths of the routes are answered; the others are passed on to Next (`app/api`)
 */
export function listenerOf(
  routes: Routes,
  options: { files?: (path: string) => Handler | null; accepts?: (path: string) => boolean } = {},
): Listener {
  const { files = () => null, accepts = () => true } = options;
  return (request, response, passOn) => {
    const path = resolvedPath(request.url as string);
    const route = handlerOf(routes, path, request.method as string);
    const handle = route ?? files(path);
    if (route && !accepts(path)) {
      // Next would also compress what a signature or an entity tag depends on.
      delete request.headers["accept-encoding"];
      passOn();
    } else if (handle) void answer(handle, request, response);
    return handle !== null;
  };
}
