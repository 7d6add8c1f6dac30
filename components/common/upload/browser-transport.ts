import { ApiCallError, command, notifySessionGuard, problemWithoutTexts, query } from "@/lib/client/client";
import { readPartAnswer } from "@/lib/client/upload/part-answer";
import { FileUnreadableError, type UploadTransport } from "@/lib/client/upload/uploader";

/** A part without progress for this long counts as a lost connection. */
const STALL_TIMEOUT_MS = 60_000;

/** The uploads of this server, as called by the browser. */
export const browserTransport: UploadTransport = {
  create: (file, signal) => command("files/create-upload", file, { signal }),
  state: (uploadId, signal) => query("files/get-upload", { uploadId }, { signal }),
  complete: (uploadId, parts, signal) => command("files/complete-upload", { uploadId, parts }, { signal }),
  abort: async (uploadId) => {
    await command("files/abort-upload", { uploadId });
  },
  sendPart: async (url, bytes, options) => {
    try {
      return await put(url, bytes, options);
    } catch (error) {
      if (error instanceof ApiCallError && error.problem.code === "network") await requireReadable(bytes);
      throw error;
    }
  },
};

/** Browsers report a file that was removed or changed in the same way as a lost connection. */
async function requireReadable(bytes: Blob): Promise<void> {
  try {
    await bytes.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new FileUnreadableError("the file cannot be read", { cause });
  }
}

/** Sends bytes with XMLHttpRequest, because `fetch` does not report the progress of a request body. */
function put(
  url: string,
  bytes: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress(sent: number): void },
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let stall = 0;
    const failWithNetworkError = () => reject(new ApiCallError(problemWithoutTexts("network", 0)));
    const restartStallTimer = () => {
      window.clearTimeout(stall);
      stall = window.setTimeout(() => {
        failWithNetworkError();
        request.abort();
      }, STALL_TIMEOUT_MS);
    };
    const abort = () => {
      reject(signal.reason);
      request.abort();
    };
    request.upload.addEventListener("progress", ({ loaded }) => {
      restartStallTimer();
      onProgress(loaded);
    });
    request.addEventListener("load", () => {
      try {
        resolve(readAnswer(request, url.startsWith("/") ? "console" : "store"));
      } catch (error) {
        if (error instanceof ApiCallError) notifySessionGuard(error.problem);
        reject(error);
      }
    });
    request.addEventListener("error", failWithNetworkError);
    request.addEventListener("loadend", () => {
      window.clearTimeout(stall);
      signal.removeEventListener("abort", abort);
    });
    signal.addEventListener("abort", abort);
    request.open("PUT", url);
    restartStallTimer();
    request.send(bytes);
  });
}

function readAnswer(request: XMLHttpRequest, from: "console" | "store"): string | null {
  // Browsers log an error when a page reads a header that the store does not expose.
  const get = (name: string) => (from === "console" || name === "etag" ? request.getResponseHeader(name) : null);
  return readPartAnswer({ status: request.status, headers: { get }, body: request.responseText }, from);
}
