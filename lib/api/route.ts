import "server-only";
import { actorFromHeaders, expiredSessionCookie, SESSION_COOKIES, sessionCookie } from "@/lib/auth/actor";
import { requestNonce } from "@/lib/auth/answer-signature";
import { deviceCookie } from "@/lib/auth/familiar-devices";
import { bodyStream, contentLength, type FileReceiver, isForm, readForm, readJson, tooLarge } from "@/lib/http/body";
import { API_HEADERS } from "@/lib/http/headers";
import { networkOf } from "@/lib/http/network";
import { problemReply } from "@/lib/http/problem";
import { consume, type RateLimit } from "@/lib/http/rate-limit";
import type { BinaryReply, CompleteReply, Reply } from "@/lib/http/reply";
import type { RequestFacts } from "@/lib/http/request-facts";
import { cookieValue, requestFacts } from "@/lib/http/request-facts";
import type { Handler, RouteRequest } from "@/lib/http/routes";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { log } from "@/lib/kernel/log";
import { metrics } from "@/lib/kernel/metrics";
import { inSpan } from "@/lib/kernel/tracing";
import { receiveFile } from "@/lib/storage/files";
import { outputJson } from "./checked";
import { toApiError } from "./errors";
import { type Call, execute } from "./execute";
import { type FileUpload, isSigned, type Operation, operationId, takesJson } from "./operation";
import type { Outcome } from "./runners";
import { withSignature } from "./signed";

/**
 * A cookie travels with requests that other sites cause; so a change that a cookie authorises must come from the
 * console's own pages, which browsers attest in Origin or Sec-Fetch-Site. It does not depend on the body: a request
 * without one, which a page elsewhere may send without asking first (no CORS preflight), is refused like any other.
 * @throws ApiError cross_origin
 */
export function requireOwnOrigin(headers: Headers): void {
  const carriesSession = SESSION_COOKIES.some((name) => cookieValue(headers, name) !== undefined);
  if (!carriesSession || headers.has("authorization")) return;
  const origin = headers.get("origin");
  if (origin === null) {
    if (headers.get("sec-fetch-site") === "same-origin") return;
    throw new ApiError("cross_origin");
  }
  const { origin: own, protocol } = new URL(env.APP_URL);
  if (origin === own) return;
  // Opened under another of its addresses (127.0.0.1, the machine's name): the page and the request share the host.
  // A console on https has no pages on http: a page there comes from an attacker on the network.
  const host = headers.get("host");
  if (host && (origin === `https://${host}` || (protocol === "http:" && origin === `http://${host}`))) return;
  throw new ApiError("cross_origin");
}

function queryInput(request: RouteRequest): Record<string, unknown> {
  const byName = Map.groupBy(new URL(request.url).searchParams, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => [name, pairs.length === 1 ? pairs[0]?.[1] : pairs.map(([, value]) => value)]),
  );
}

/** Stores the file of an operation's form while it arrives. */
export function formStore(request: RouteRequest, form: FileUpload): FileReceiver["store"] {
  return ({ name, contentType, body }) =>
    receiveFile({
      name,
      contentType,
      body,
      purpose: form.purpose,
      maxBytes: form.maxBytes(),
      expectedBytes: contentLength(request) ?? undefined,
      tooLarge: () => tooLarge(form.maxBytes()),
      signal: request.signal,
    });
}

function replyTo(outcome: Outcome, facts: RequestFacts): Reply {
  const { status } = outcome;
  const headers = new Headers({ ...API_HEADERS, "X-Request-Id": facts.requestId });
  if (outcome.session) {
    headers.append(
      "Set-Cookie",
      "begin" in outcome.session ? sessionCookie(outcome.session.begin) : expiredSessionCookie(),
    );
  }
  if (outcome.session && "begin" in outcome.session && outcome.session.begin.device) {
    headers.append("Set-Cookie", deviceCookie(outcome.session.begin.device));
  }
  for (const cookie of outcome.cookies ?? []) headers.append("Set-Cookie", cookie);
  if (outcome.binary) {
    for (const [name, value] of Object.entries(outcome.binary.headers)) headers.set(name, value);
    return { status, headers, body: outcome.binary.body } as Reply;
  }
  headers.set("Cache-Control", "no-store");
  if (status === 204) return { status, headers, body: null };
  headers.set("Content-Type", "application/json");
  return { status, headers, body: outputJson(outcome.output) };
}

/**
 * Answers a call, which the metrics and the traces have under a name.
 * @param call.name the operation's ID
 */
export function measured<R extends Reply>(
  call: { name: string; request: Pick<RouteRequest, "headers">; method: string },
  answer: () => Promise<R>,
): Promise<R> {
  const { name, request, method } = call;
  return inSpan(name, { kind: "server", traceparent: request.headers.get("traceparent") }, async (span) => {
    const { calls, callSeconds } = metrics.get();
    const end = callSeconds.startTimer({ operation: name });
    const reply = await answer();
    end();
    calls.inc({ operation: name, status: String(reply.status) });
    span.setAttributes({ "http.request.method": method, "http.response.status_code": reply.status });
    if (reply.status >= 500) span.fail();
    return reply;
  });
}

function handle(operation: Operation, request: RouteRequest): Promise<Reply> {
  const { method } = operation;
  return measured({ name: operationId(operation), request, method }, () => answer(operation, request));
}

function problem(error: unknown, facts: RequestFacts) {
  return problemReply(toApiError(error), facts.locale, facts.requestId);
}

/** Answers a call of a signed operation. Only an answer that cannot be signed has no signature: the key is out of reach. */
async function signedAnswer(operation: Operation, request: RouteRequest, facts: RequestFacts): Promise<Reply> {
  let nonce: string | undefined;
  let reply: Reply;
  try {
    nonce = requestNonce(request.headers);
    // A HEAD has the headers of a GET, and with them its signature.
    reply = await unsignedAnswer(operation, request, { ...facts, method: "GET" });
  } catch (error) {
    reply = problem(error, facts);
  }
  try {
    // The body of a query is complete.
    return await withSignature(reply as CompleteReply, { url: request.url, nonce, now: facts.now });
  } catch (error) {
    log.error({ err: error, requestId: facts.requestId }, "an answer could not be signed");
    return problem(error, facts);
  }
}

function answer(operation: Operation, request: RouteRequest): Promise<Reply> {
  const facts = requestFacts(request.headers, request.method, request.signal);
  return isSigned(operation) ? signedAnswer(operation, request, facts) : unsignedAnswer(operation, request, facts);
}

async function unsignedAnswer(operation: Operation, request: RouteRequest, facts: RequestFacts): Promise<Reply> {
  try {
    if (operation.method !== "GET") requireOwnOrigin(request.headers);
    const form = operation.kind === "command" && isForm(request) ? operation.file : undefined;
    const call: Call = {
      actor: () => actorFromHeaders(request.headers, facts.now),
      input: async ({ authorizeUpload, received }) => {
        if (!takesJson(operation)) return queryInput(request);
        if (form) {
          return readForm(request, form, {
            authorizeUpload,
            received,
            store: formStore(request, form),
          });
        }
        return readJson(request, operation.kind === "command" ? operation.maxJsonBytes : undefined);
      },
      carriesFile: form !== undefined || operation.kind === "raw-upload",
      request: facts,
    };
    if (operation.kind === "raw-upload") {
      call.body = { stream: bodyStream(request), contentLength: contentLength(request) };
    }
    return replyTo(await execute(operation, call), facts);
  } catch (error) {
    return problem(error, facts);
  }
}

/**
 * The handler of an operation. Requests with another method than the operation's are rejected before (`lib/http/server/gate.ts`).
 */
export function route(operation: Operation): Handler {
  return (request) => handle(operation, request);
}

/**
 * The handler of a route that is read and is no operation: it has no caller, input or audit, and answers like all others.
 * @param read makes the answer to a `GET`; what it throws becomes a problem
 * @param limit of the calls of each network
 */
export function plainRoute(
  read: (request: RouteRequest) => BinaryReply | Promise<BinaryReply>,
  limit?: RateLimit & { name: string },
): Handler {
  return async (request) => {
    const facts = requestFacts(request.headers, request.method, request.signal);
    try {
      if (limit) await consume({ name: limit.name, limit, key: networkOf(facts.ip) });
      const { status, headers, body } = await read(request);
      return {
        status,
        headers: new Headers({ ...headers, ...API_HEADERS, "X-Request-Id": facts.requestId }),
        body,
      } as Reply;
    } catch (error) {
      return problem(error, facts);
    }
  };
}

/** Rejects paths that are no operation's: a program that mistypes one gets a problem to read, and no page. */
export const noRoute: Handler = async (request) => {
  const facts = requestFacts(request.headers, request.method, request.signal);
  return problem(new ApiError("not_found"), facts);
};
