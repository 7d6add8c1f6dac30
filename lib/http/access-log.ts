import "server-only";
import { log } from "@/lib/kernel/log";
import type { Exchange } from "./connections";
import { headersOf } from "./listener";
import { clientAddress } from "./request-facts";
import { resolvedPath } from "./target";

const MAX_PATH_LENGTH = 200;

/**
 * Logs a request when its connection is done with it: method, path, status, duration, client address and request ID. The query
 * is left out because it may contain tokens and search words. Without a response, the status is null.
 */
export function logAccess({ id, request, response }: Exchange): void {
  const startedAt = performance.now();
  const { method } = request;
  const path = resolvedPath(request.url ?? "").slice(0, MAX_PATH_LENGTH);
  const ip = clientAddress(headersOf(request));
  response.once("close", () => {
    const ms = Math.round(performance.now() - startedAt);
    const status = response.headersSent ? response.statusCode : null;
    log.info({ requestId: id, method, path, status, ms, ip, complete: response.writableFinished }, "request");
  });
}
