import "server-only";
import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/kernel/errors";
import { DEFAULT_LOCALE } from "@/lib/kernel/i18n/locales";
import { newId } from "@/lib/kernel/ids";
import { requestId } from "../exchange";
import { problemReply } from "../problem";
import type { CompleteReply } from "../reply";
import { localeOf } from "../request-facts";
import { hasRoute, isHealthPath, type Routes } from "../routes";
import { isDecodable, resolvedPath } from "../target";
import type { Gate } from "./console-server";
import { headersOf } from "./listener";
import { plainHttpRedirect } from "./plain-http";
import { isRouterState } from "./router-state";

/** Node limits all headers together to 16 KB, and silently drops those after the 2,000th. */
const MAX_HEADERS = 100;
/** Chromium stores at most 180 for a site. */
const MAX_COOKIES = 200;
/** Next's time grows with the square of their number. A list of IDs that fits into 16 KB has fewer. */
const MAX_QUERY_PARAMETERS = 400;

/** When a client may ask an instance again that waits for its database or store. */
const WAIT_RETRY_SECONDS = 5;

const PAGE_METHODS = ["GET", "HEAD"];

/** What the browser asks Next's development server for, with methods of its own. */
const DEVELOPMENT_PATHS = /^\/(__nextjs|_next\/)/;

function occurrences(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** A request with a method that its path does not support. */
class WrongMethodError extends ApiError {
  constructor(
    path: string,
    readonly allowed: readonly string[],
  ) {
    super("method_not_allowed", { params: { path } });
  }
}

/**
 * Converts a target in absolute form, which clients send to proxies, to origin form (RFC 9112, section 3.2.2).
 * @throws ApiError invalid_request
 */
function normalizeTarget(request: IncomingMessage): void {
  const { url = "" } = request;
  if (url.startsWith("/")) return;
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol)) throw new ApiError("invalid_request");
  request.url = target.pathname + target.search;
  request.headers.host = target.host;
}

type GateRoutes = Pick<Routes, "below">;

/**
 * Checks a request before any work is done for it. The caller is not known yet, and Next does not limit its own work on
 * targets and headers.
 * @returns the redirect of a request over plain HTTP; null for a request that is passed on
 * @throws ApiError invalid_request, headers_too_large, method_not_allowed
 */
function check(
  request: IncomingMessage,
  routes: GateRoutes,
  { httpsOrigin, development = false }: Pick<GateOptions, "httpsOrigin" | "development">,
): CompleteReply | null {
  if (request.method === "CONNECT") throw new WrongMethodError(request.url ?? "", PAGE_METHODS);
  if (request.rawHeaders.length > 2 * MAX_HEADERS) throw new ApiError("headers_too_large");
  if (occurrences(request.headers.cookie ?? "", ";") >= MAX_COOKIES) throw new ApiError("headers_too_large");
  if (request.headers.host === undefined && request.httpVersion !== "1.0") throw new ApiError("invalid_request");
  normalizeTarget(request);
  const { url, method } = request as { url: string; method: string };
  if (occurrences(url, "&") >= MAX_QUERY_PARAMETERS) throw new ApiError("invalid_request");
  const path = resolvedPath(url);
  const redirect = httpsOrigin === undefined ? null : plainHttpRedirect(request, path, httpsOrigin);
  if (redirect) return redirect;
  // Next redirects paths with repeated slashes or backslashes to the path with single slashes.
  if (/^\/+api(\/|$)/.test(path) || hasRoute(routes, path)) {
    if (!isDecodable(path)) throw new ApiError("invalid_request");
    return null;
  }
  if (development && DEVELOPMENT_PATHS.test(path)) return null;
  if (!PAGE_METHODS.includes(method)) throw new WrongMethodError(path, PAGE_METHODS);
  const routerState = request.headers["next-router-state-tree"];
  if (routerState !== undefined && !isRouterState(String(routerState))) throw new ApiError("invalid_request");
  // Other values make Next render a page ahead of its requests, which no page of the console allows; Next then logs an error.
  if (!["1", undefined].includes(request.headers["next-router-prefetch"]?.toString()))
    throw new ApiError("invalid_request");
  return null;
}

/** Where and when a gate checks requests. */
interface GateOptions {
  /** Where requests over plain HTTP are redirected to, if this server itself serves HTTPS. */
  httpsOrigin?: string | undefined;
  /** Whether this instance waits for its database or store and answers nothing but the health checks. */
  isWaiting?: () => boolean;
  /** Whether Next's development server has paths of its own. */
  development?: boolean;
}

/**
 * Rejects with a problem (RFC 9457) what Next and Node would answer with a page, an empty body or a failure.
 * @param routes of the API
 */
export function makeGate(routes: GateRoutes, options: GateOptions = {}): Gate {
  const { isWaiting = () => false } = options;
  return {
    refusal(request) {
      try {
        if (isWaiting() && !isHealthPath(resolvedPath(request.url ?? "")))
          throw new ApiError("unavailable", { retryAfter: WAIT_RETRY_SECONDS });
        return check(request, routes, options);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const headers = headersOf(request);
        const allow = error instanceof WrongMethodError ? { Allow: error.allowed.join(", ") } : undefined;
        return problemReply(error, localeOf(headers), requestId(), allow);
      }
    },
    refusalOfBytes(code) {
      const error =
        code === "HPE_HEADER_OVERFLOW"
          ? new ApiError("headers_too_large")
          : new ApiError(code === "ERR_HTTP_REQUEST_TIMEOUT" ? "request_timeout" : "invalid_request");
      return problemReply(error, DEFAULT_LOCALE, newId());
    },
  };
}
