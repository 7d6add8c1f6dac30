import "server-only";
import { log } from "@/lib/kernel/log";
import type { Exchange } from "../exchange";
import { clientAddress } from "../request-facts";
import { resolvedPath } from "../target";
import { headersOf } from "./listener";

const MAX_PATH_LENGTH = 200;

/** Where a query, or the parameters of a segment, may begin, also if a client encoded the sign. */
const PARAMETERS = /[;=&@]|%(3f|3b|3d|26|40)/i;
/** No route has a segment that may be a token: at least 20 letters, digits and signs of base64url, some of them digits. */
const TOKEN = /^(?=.*\d)(?=.*[a-z])[\w.~-]{20,}$/i;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** The names of these files contain a hash of their content. */
const STATIC_FILES = "/_next/static/";
const HIDDEN = "…";
/** Below these, the next segment is a code or secret, also one that has no digit. */
const SECRET_BELOW = ["d", "i", "t"];

/** The path of a target as the log shows it: without what may be a token, such as one that was pasted into an address. */
function shownPath(target: string): string {
  const [path = "", ...more] = resolvedPath(target).split(PARAMETERS, 2);
  const whole = more.length > 0 ? path + HIDDEN : path;
  if (whole.startsWith(STATIC_FILES)) return whole.slice(0, MAX_PATH_LENGTH);
  const isSecret = (segment: string, index: number, all: readonly string[]) =>
    (index === 2 && SECRET_BELOW.includes(all[1] as string)) || (TOKEN.test(segment) && !ID.test(segment));
  const segments = whole.split("/").map((segment, index, all) => (isSecret(segment, index, all) ? HIDDEN : segment));
  return segments.join("/").slice(0, MAX_PATH_LENGTH);
}

/**
 * Logs a request when its connection is done with it: method, path, status, duration, client address and request ID. The query
 * is left out because it may contain tokens and search words. Without a response, the status is null.
 */
export function logAccess({ id, request, response }: Exchange): void {
  const startedAt = performance.now();
  const { method } = request;
  const path = shownPath(request.url ?? "");
  const ip = clientAddress(headersOf(request));
  response.once("close", () => {
    const ms = Math.round(performance.now() - startedAt);
    const status = response.headersSent ? response.statusCode : null;
    log.info({ requestId: id, method, path, status, ms, ip, complete: response.writableFinished }, "request");
  });
}
