import "server-only";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { responseTo } from "./node-server";

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
export type Reply = CompleteReply | (Omit<CompleteReply, "body"> & { body: ReadableStream<Uint8Array> });

/**
 * Converts a reply to the response that a route returns. Over HTTP, a complete body does not pass through a web stream: it
 * is sent with the head, when Next ends the response (docs/decisions/020-complete-bodies-past-the-web-stream.md).
 */
export function toResponse({ status, headers, body }: Reply, request: { method: string; headers: Headers }): Response {
  const content = request.method === "HEAD" ? null : body;
  const response = content === null || content instanceof ReadableStream ? null : responseTo(request.headers);
  if (response === null) return new Response(content as BodyInit | null, { status, headers });
  const end = response.end as (...rest: unknown[]) => ServerResponse;
  // Next ends a response without a body with no arguments. A page for a failure of its own has a body.
  response.end = (...rest: unknown[]) => {
    if (rest.length > 0) return end.apply(response, rest);
    // Next's compression creates the head before it passes the body on.
    if (!response.headersSent) response.setHeader("Content-Length", Buffer.byteLength(content as string | Uint8Array));
    return end.call(response, content);
  };
  return new Response(null, { status, headers });
}
