import "server-only";
import { toApiError } from "@/lib/api/errors";
import { logFailure } from "@/lib/api/failure-log";
import { measured } from "@/lib/api/route";
import { API_HEADERS } from "@/lib/http/headers";
import { problemOf } from "@/lib/http/problem";
import type { CompleteReply } from "@/lib/http/reply";
import { type RequestFacts, requestFacts } from "@/lib/http/request-facts";
import type { Handler, RouteRequest } from "@/lib/http/routes";
import { env } from "@/lib/kernel/env";
import { ApiError, type ErrorCode } from "@/lib/kernel/errors";

/** A request of another product's client. */
export interface Exchange {
  request: RouteRequest;
  facts: RequestFacts;
  /** The parameters of the address. */
  query: URLSearchParams;
  /** The path below the product's address, which begins with a slash. */
  path: string;
}

/** The API token that a request sends beside its body: as a parameter of the address, or as a bearer token. */
export function sentToken({ request, query }: Exchange, parameter: string): string | undefined {
  return query.get(parameter) || /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** A failure in words. */
export interface Failure {
  status: number;
  code: ErrorCode;
  /** The title, the detail and the messages of the fields, as one line of a log. */
  message: string;
  /** Seconds after which the client may ask again. */
  retryAfter: number | undefined;
}

/** Answers a request. @throws what the product's `failed` puts into its form */
export type Answerer = (exchange: Exchange) => Promise<{ status: number; body: unknown }>;

/** A product whose clients can publish here. */
export interface Product {
  /** For the metrics. */
  name: string;
  /** Returns what answers a path, by the method; null for an unknown path. */
  at(path: string): Readonly<Record<string, Answerer>> | null;
  /** The body of a failure, as the product's clients read it. */
  failed(failure: Failure): unknown;
}

/** Answers fixed paths. */
export function fixedPaths(paths: Readonly<Record<string, Readonly<Record<string, Answerer>>>>): Product["at"] {
  return (path) => (Object.hasOwn(paths, path) ? (paths[path] ?? null) : null);
}

/** The address of a picture outside the console; null if there is none. */
export function pictureUrl(path: string | null): string | null {
  return path && new URL(path, env.APP_URL).href;
}

/** Puts an error into words, in the language of the caller. */
export function wordsOf(error: unknown, facts: RequestFacts): Failure {
  const apiError = toApiError(error);
  const { status, code, title, detail, errors = [] } = problemOf(apiError, facts.locale, facts.requestId);
  const fields = errors.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  // The detail is about the marked fields of a form, which these clients do not have.
  const sentences = code === "validation_failed" && fields.length > 0 ? fields : [detail, ...fields];
  return { status, code, message: [`${title}.`, ...sentences].join(" "), retryAfter: apiError.retryAfter };
}

function jsonReply(
  status: number,
  body: unknown,
  { requestId, allowed, retryAfter }: { requestId: string; allowed?: string; retryAfter?: number | undefined },
): CompleteReply {
  const headers = new Headers({
    ...API_HEADERS,
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    ...(allowed !== undefined && { Allow: allowed }),
    ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
  });
  return { status, headers, body: JSON.stringify(body) };
}

/**
 * The handler for the clients of a product.
 * @param below the path that the product's own paths follow
 */
export function handlerFor(product: Product, below: string): Handler {
  const name = `compat/${product.name}`;
  return (request) =>
    measured({ name, request, method: request.method }, async () => {
      const facts = requestFacts(request.headers, request.method, request.signal);
      const { pathname, searchParams } = new URL(request.url);
      const path = pathname.slice(below.length) || "/";
      const { requestId } = facts;
      const answerers = product.at(path);
      const allowed = answerers ? Object.keys(answerers).join(", ") : undefined;
      try {
        if (!answerers) throw new ApiError("not_found");
        const answer = Object.hasOwn(answerers, request.method) ? answerers[request.method] : undefined;
        if (!answer) throw new ApiError("method_not_allowed", { params: { path: pathname } });
        const { status, body } = await answer({ request, facts, query: searchParams, path });
        return jsonReply(status, body, { requestId });
      } catch (error) {
        const failure = wordsOf(error, facts);
        const { status, retryAfter } = failure;
        // An operation has logged its failure and thrown an ApiError; this one is of the adapter.
        if (status >= 500 && !(error instanceof ApiError)) {
          logFailure(toApiError(error), { operation: name, requestId }, "an operation failed");
        }
        return jsonReply(status, product.failed(failure), {
          requestId,
          retryAfter,
          ...(status === 405 && { allowed }),
        });
      }
    });
}
