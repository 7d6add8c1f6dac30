import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { addAbortSignal, Readable } from "node:stream";
import { type ReadableStream, TransformStream } from "node:stream/web";
import { isCounted } from "./chunks";
import { compressed } from "./compression";
import { sendStream } from "./reply-stream";
import type { RouteRequest } from "./routes";

/** Bytes instead of JSON. */
export interface BinaryReply {
  status: number;
  headers: Record<string, string>;
  body: Readable | string | Uint8Array | null;
}

/** A response of a route before it is sent, with its whole body. */
export interface CompleteReply {
  status: number;
  headers: Headers;
  body: string | Uint8Array | null;
}

/** A response of a route before it is sent. */
export type Reply = CompleteReply | (Omit<CompleteReply, "body"> & { body: Readable });

/** Sends the browser to another page. @param cookie a Set-Cookie value */
export function seeOther(path: string, cookie: string | null = null): CompleteReply {
  const headers = new Headers({ Location: path, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
  if (cookie !== null) headers.append("Set-Cookie", cookie);
  return { status: 303, headers, body: null };
}

/** Sends a reply; a complete body together with the head. Resolves when nothing is left to be written. */
export async function sendReply(reply: Reply, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await compressed(reply, request.headers["accept-encoding"]);
  response.statusCode = status;
  for (const [name, value] of headers) {
    if (name === "set-cookie") response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (request.method === "HEAD") {
    if (body instanceof Readable) body.destroy();
    response.end();
  } else if (body instanceof Readable) {
    await sendStream(body, response);
  } else {
    response.end(body ?? undefined);
  }
}

/** Converts a reply to a web `Response`, for the route handlers and for tests. */
export function toResponse(
  { status, headers, body }: Reply,
  { method, signal }: Pick<RouteRequest, "method" | "signal">,
): Response {
  if (!(body instanceof Readable))
    return new Response(method === "HEAD" ? null : (body as BodyInit), { status, headers });
  if (method === "HEAD") body.destroy();
  const stream = method === "HEAD" ? null : webStream(addAbortSignal(signal, body));
  return new Response(stream as BodyInit | null, { status, headers });
}

function webStream(body: Readable): ReadableStream<Uint8Array> {
  const stream = Readable.toWeb(body) as ReadableStream<Uint8Array>;
  if (!isCounted(body)) return stream;
  // What is taken out of it is sent; nothing is taken ahead.
  const counting = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(chunk, controller) {
        body.bytesSent(chunk.byteLength);
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 1 },
    { highWaterMark: 0 },
  );
  return stream.pipeThrough(counting);
}
