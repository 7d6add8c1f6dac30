import { ApiError } from "@/lib/kernel/errors";
import { requestId } from "./exchange";
import { problemReply } from "./problem";
import type { Reply } from "./reply";
import { localeOf } from "./request-facts";

/** What a route reads of a request. A web `Request` has it too. */
export type RouteRequest = Pick<Request, "url" | "method" | "headers" | "signal" | "body">;

/** Answers a request. It never throws. */
export type Handler = (request: RouteRequest) => Promise<Reply>;

export interface Route {
  /** The methods that are passed on to the handler; others are answered with 405. */
  methods: readonly string[];
  handle: Handler;
}

/** The routes of the API. */
export interface Routes {
  /** By the path, without parameters. */
  byPath: Readonly<Record<string, Route>>;
  /** For all paths that begin with the key. They check the method themselves. */
  below: Readonly<Record<string, Handler>>;
  /** For the other paths below `/api`. */
  otherwise: Handler;
  /** Pages below `/api`, which are not answered here. */
  pages: readonly string[];
}

/** Whether a path is a health check, which an instance also answers before it has started. */
export function isHealthPath(path: string): boolean {
  return path === "/api/health/live" || path === "/api/health/ready";
}

/** Whether a path is below `/api`, whose paths have no page. */
function isApiPath(path: string): boolean {
  return /^\/api(\/|$)/.test(path);
}

/** Whether a route, and not a page, decides about the methods of a path. */
export function hasRoute({ below }: Pick<Routes, "below">, path: string): boolean {
  return isApiPath(path) || Object.keys(below).some((beginning) => path.startsWith(beginning));
}

/** Answers with 405 and the methods that a path supports. */
export function wrongMethod(path: string, methods: readonly string[]): Handler {
  return async ({ headers }) => {
    const error = new ApiError("method_not_allowed", { params: { path } });
    return problemReply(error, localeOf(headers), requestId(), { Allow: methods.join(", ") });
  };
}

/**
 * Finds the handler for a request.
 * @param path without dot segments
 * @returns null for a page, and for a path that Next redirects: with a slash at the end, or with several in a row
 */
export function handlerOf({ byPath, below, otherwise, pages }: Routes, path: string, method: string): Handler | null {
  const route = Object.hasOwn(byPath, path) ? byPath[path] : undefined;
  if (route) return route.methods.includes(method) ? route.handle : wrongMethod(path, route.methods);
  const beginning = Object.keys(below).find((one) => path.startsWith(one));
  if (beginning !== undefined && !isApiPath(beginning)) return below[beginning] ?? null;
  if (!isApiPath(path) || path.endsWith("/") || path.includes("//") || pages.includes(path)) return null;
  return beginning === undefined ? otherwise : (below[beginning] ?? null);
}
