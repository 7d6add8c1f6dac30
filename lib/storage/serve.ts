import type { Readable } from "node:stream";
import { contentDisposition } from "@/lib/http/content-disposition";
import { decideRange } from "@/lib/http/range";
import { MAX_PRESIGNED_GET_SECONDS, type StorageDriver } from "./driver";

/** A stored file as its row describes it. */
interface ServedFile {
  key: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex; the entity tag is made of it. */
  sha256: string;
  contentType: string;
  /** The name under which browsers save it. It may contain any characters that a user has typed. */
  fileName: string;
  lastModified?: Date;
}

export interface ServeOptions {
  /** How a browser treats it; an attachment unless said otherwise. */
  disposition?: "attachment" | "inline";
  /** Cache-Control; by default `private, no-cache`, so that the file is cached and revalidated each time. */
  cacheControl?: string;
  /** Whether clients may be redirected to the store, if it has presigned URLs. */
  redirect: boolean;
}

/** An answer whose body, where there is one, must be read or destroyed. */
interface ServedReply {
  status: number;
  headers: Record<string, string>;
  body: Readable | null;
}

/**
 * Answers a GET or HEAD for a stored file with its conditions and ranges (RFC 9110): 200, 206, 304, 412, 416, or 302
 * to a presigned URL of at most 5 minutes.
 * @throws StorageError
 */
export async function serveStored(
  driver: StorageDriver,
  file: ServedFile,
  request: { method: string; headers: Headers },
  options: ServeOptions,
): Promise<ServedReply> {
  const etag = `"${file.sha256}"`;
  const disposition = contentDisposition(file.fileName, options.disposition);
  const validators: Record<string, string> = {
    etag,
    "cache-control": options.cacheControl ?? "private, no-cache",
    ...(file.lastModified && { "last-modified": file.lastModified.toUTCString() }),
  };
  const described: Record<string, string> = {
    ...validators,
    "accept-ranges": "bytes",
    "content-type": file.contentType,
    "content-disposition": disposition,
    "x-content-type-options": "nosniff",
  };
  const decision = decideRange(request.method, request.headers, {
    size: file.size,
    etag,
    lastModified: file.lastModified,
  });
  switch (decision.status) {
    case 304:
      return { status: 304, headers: validators, body: null };
    case 412:
      return { status: 412, headers: { "content-length": "0" }, body: null };
    case 416:
      return {
        status: 416,
        headers: { "content-range": `bytes */${file.size}`, "accept-ranges": "bytes", "content-length": "0" },
        body: null,
      };
  }
  // A presigned URL is valid for one method only, so a HEAD is answered here.
  const isHead = request.method === "HEAD";
  const location =
    options.redirect && !isHead
      ? await driver.presignGet(
          file.key,
          { contentDisposition: disposition, contentType: file.contentType },
          MAX_PRESIGNED_GET_SECONDS,
        )
      : null;
  if (location !== null) {
    return { status: 302, headers: { location, "cache-control": "no-store", "content-length": "0" }, body: null };
  }
  if (decision.status === 206) {
    const { start, end } = decision;
    return {
      status: 206,
      headers: {
        ...described,
        "content-length": String(end - start + 1),
        "content-range": `bytes ${start}-${end}/${file.size}`,
      },
      body: await driver.get(file.key, { start, end }),
    };
  }
  return {
    status: 200,
    headers: { ...described, "content-length": String(file.size) },
    body: isHead ? null : await driver.get(file.key),
  };
}
