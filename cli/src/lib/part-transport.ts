import { statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { ApiCallError, problemWithoutTexts } from "@/lib/client/problem";
import { readPartAnswer } from "@/lib/client/upload/part-answer";
import { FileUnreadableError, type UploadFile, type UploadTransport } from "@/lib/client/upload/uploader";
import type { Console } from "./console";
import { openRequest } from "./http";
import { readRange } from "./installer";

/** A part without progress for this long counts as a lost connection. */
const STALL_TIMEOUT_MS = 60_000;
/** The server reads the whole file to join the parts. */
const COMPLETION_TIMEOUT_MS = 15 * 60_000;

/** A range of a file on disk, in bytes. */
interface FileRange {
  start: number;
  length: number;
}

/** A file on disk as the uploader takes it. @param size as it was when it was read; a change fails the upload */
export function fileToUpload(name: string, size: number): UploadFile<FileRange> {
  return { name, size, slice: (start, end) => ({ start, length: Math.min(end, size) - start }) };
}

/**
 * The uploads of a console, called by Node. Parts are streamed from disk, so that memory does not depend on their size.
 * @param purpose `attachment` for a further file of a release
 */
export function partTransport(console: Console, path: string, purpose?: "attachment"): UploadTransport<FileRange> {
  const { mtimeMs } = statSync(path);
  return {
    create: (file, signal) =>
      console.tryCommand("files/create-upload", { ...file, ...(purpose && { purpose }) }, { signal }),
    state: (uploadId, signal) => console.tryQuery("files/get-upload", { uploadId }, { signal }),
    complete: (uploadId, parts, signal) =>
      console.tryCommand("files/complete-upload", { uploadId, parts }, { signal, timeoutMs: COMPLETION_TIMEOUT_MS }),
    abort: async (uploadId) => {
      await console.tryCommand("files/abort-upload", { uploadId });
    },
    async sendPart(url, range, options) {
      const isOwn = url.startsWith("/");
      const target = new URL(url, console.url);
      const etag = await put(target, { path, range, headers: isOwn ? console.headers : {}, isOwn }, options);
      if (statSync(path).mtimeMs !== mtimeMs) throw new FileUnreadableError("the file has changed");
      return etag;
    },
  };
}

interface PartBody {
  path: string;
  range: FileRange;
  headers: Record<string, string>;
  /** Whether the console answers, and not the store. */
  isOwn: boolean;
}

/** Sends a part with `node:http`, because `fetch` neither reports progress nor sends a stream with a known length. */
function put(
  url: URL,
  { path, range, headers, isOwn }: PartBody,
  { signal, onProgress }: { signal: AbortSignal; onProgress(sent: number): void },
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const request = openRequest(url, {
      method: "PUT",
      headers: { ...headers, "Content-Type": "application/octet-stream", "Content-Length": range.length },
    });
    let sent = 0;
    let settled = false;
    const settle = (end: () => void) => {
      settled = true;
      signal.removeEventListener("abort", abort);
      end();
    };
    const fail = (error: unknown) =>
      settle(() => {
        reject(error);
        request.destroy();
      });
    const lost = (cause: unknown) =>
      fail(Object.assign(new ApiCallError(problemWithoutTexts("network", 0)), { cause }));
    const abort = () => fail(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) return abort();
    request.setTimeout(STALL_TIMEOUT_MS, () => lost(Object.assign(new Error("no progress"), { code: "ETIMEDOUT" })));
    request.on("error", lost);
    request.on("response", (response) => {
      readAnswer(response, isOwn ? "console" : "store").then((etag) => settle(() => resolve(etag)), fail);
    });
    const send = async () => {
      for await (const piece of readRange(path, range)) {
        if (settled) return;
        // The buffer is used again as soon as the socket has taken the piece.
        await new Promise<void>((taken, failed) => {
          request.write(piece, (error) => (error ? failed(error) : taken()));
        });
        sent += piece.length;
        onProgress(sent);
      }
      if (sent < range.length) throw new FileUnreadableError("the file has become shorter");
      request.end();
    };
    send().catch((cause: unknown) => {
      // A lost connection is told by the request itself.
      if (settled || request.destroyed) return;
      fail(
        cause instanceof FileUnreadableError ? cause : new FileUnreadableError("the file cannot be read", { cause }),
      );
    });
  });
}

async function readAnswer(response: IncomingMessage, from: "console" | "store"): Promise<string | null> {
  const { statusCode: status = 0, headers } = response;
  let body: string;
  try {
    body = await text(response);
  } catch (cause) {
    throw Object.assign(new ApiCallError(problemWithoutTexts("network", 0)), { cause });
  }
  const get = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : null;
  };
  return readPartAnswer({ status, headers: { get }, body }, from);
}
