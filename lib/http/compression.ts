import "server-only";
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import type { Reply } from "./reply";

const gzipped = promisify(gzip);

/** Shorter bodies fit into one packet. */
const MIN_BYTES = 1024;
const COMPRESSIBLE = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)\b|image\/svg\+xml\b)/;

/** The codings that responses are sent in. */
export type Coding = "br" | "gzip";

/**
 * Selects a content coding by an Accept-Encoding header (RFC 9110, section 12.5.3).
 * @param available in the order in which they are preferred if the client has no preference
 * @returns null if the client accepts none of them
 */
export function preferredCoding(
  acceptEncoding: string | null | undefined,
  available: readonly Coding[],
): Coding | null {
  const weights = new Map(
    (acceptEncoding ?? "").split(",").map((entry) => {
      const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding === "x-gzip" ? "gzip" : coding, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  let preferred: Coding | null = null;
  let highest = 0;
  for (const coding of available) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > highest) [preferred, highest] = [coding, weight];
  }
  return preferred;
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
  if (preferredCoding(acceptEncoding, ["gzip"]) === null) return reply;
  headers.set("Content-Encoding", "gzip");
  headers.delete("Content-Length");
  if (!(body instanceof Readable)) return { status, headers, body: await gzipped(body as string | Uint8Array) };
  // The failure of the source destroys the result, and the other way round.
  return { status, headers, body: pipeline(body, createGzip(), () => {}) };
}
