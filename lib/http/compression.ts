import "server-only";
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import type { Reply } from "./reply";

const gzipped = promisify(gzip);

/** Shorter bodies fit into one packet. */
const MIN_BYTES = 1024;
const COMPRESSIBLE = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)\b|image\/svg\+xml\b)/;

/** Whether a client accepts gzip (RFC 9110, section 12.5.3). */
export function acceptsGzip(acceptEncoding = ""): boolean {
  const weights = new Map(
    acceptEncoding.split(",").map((entry) => {
      const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}

/** Whether the length of a body is worth compressing. That of a stream is not known. */
function isLong(body: Reply["body"]): boolean {
  if (body === null) return false;
  return body instanceof Readable || Buffer.byteLength(body) >= MIN_BYTES;
}

/**
 * Compresses the body of a reply if it is text, the client accepts it, and nothing depends on its exact bytes: a signature
 * (`no-transform`), a strong entity tag or a range.
 */
export async function compressed(reply: Reply, acceptEncoding: string | undefined): Promise<Reply> {
  const { status, headers, body } = reply;
  const exact =
    headers.get("cache-control")?.includes("no-transform") ||
    headers.get("etag")?.startsWith('"') ||
    headers.has("content-range");
  if (!isLong(body) || exact || !COMPRESSIBLE.test(headers.get("content-type") ?? "")) return reply;
  headers.append("Vary", "Accept-Encoding");
  if (!acceptsGzip(acceptEncoding)) return reply;
  headers.set("Content-Encoding", "gzip");
  headers.delete("Content-Length");
  if (!(body instanceof Readable)) return { status, headers, body: await gzipped(body as string | Uint8Array) };
  // The failure of the source destroys the result, and the other way round.
  return { status, headers, body: pipeline(body, createGzip(), () => {}) };
}
