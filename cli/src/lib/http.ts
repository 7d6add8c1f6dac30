import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { proxyFor, requestThrough } from "./proxy";

/** A connection on which nothing moves for this long is lost. */
const IDLE_TIMEOUT_MS = 5 * 60_000;
const REDIRECTIONS = [301, 302, 303, 307, 308];

const agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };

export interface SendOptions {
  method?: "GET" | "POST";
  body?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How many redirections are followed; another origin gets no `Authorization`. By default none is. */
  redirections?: number;
}

/**
 * Begins a request, directly or through the proxy of the environment.
 * @throws Failure if a variable for the proxy is wrong
 */
export function openRequest(
  url: URL,
  options: { method: string; headers: Record<string, string | number> },
): ClientRequest {
  const proxy = proxyFor(url);
  if (proxy) return requestThrough(proxy, url, options);
  return url.protocol === "https:"
    ? httpsRequest(url, { ...options, agent: agents["https:"] })
    : httpRequest(url, { ...options, agent: agents["http:"] });
}

/** Statuses whose response has no body. */
const WITHOUT_BODY = [204, 205, 304];

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  if (WITHOUT_BODY.includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(message) as ReadableStream, { status, headers });
}

/**
 * Sends a request and resolves with the response when its head has arrived. Unlike `fetch`, it uses the proxy of the environment.
 * @throws Failure of the proxy, the reason of the aborted signal, or the error of the network
 */
export async function send(url: URL, options: SendOptions = {}): Promise<Response> {
  const { redirections = 0, headers = {}, ...rest } = options;
  const response = await sendOnce(url, { headers, ...rest });
  const location = response.headers.get("location");
  if (redirections === 0 || location === null || !REDIRECTIONS.includes(response.status)) return response;
  await response.body?.cancel();
  const target = new URL(location, url);
  const { Authorization: _, ...others } = headers;
  const kept = target.origin === url.origin ? headers : others;
  return send(target, { ...rest, headers: kept, redirections: redirections - 1 });
}

function sendOnce(
  url: URL,
  { method = "GET", body, headers = {}, signal }: Omit<SendOptions, "redirections">,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    // A body that is sent at once has a length, which Node states.
    const request = openRequest(url, { method, headers });
    const abort = () => request.destroy(signal?.reason);
    signal?.addEventListener("abort", abort);
    request.on("close", () => signal?.removeEventListener("abort", abort));
    request.setTimeout(IDLE_TIMEOUT_MS, () =>
      request.destroy(Object.assign(new Error("no progress"), { code: "ETIMEDOUT" })),
    );
    request.on("error", (error) => reject(signal?.aborted ? signal.reason : error));
    request.on("response", (message) => {
      // The signal ends the body, too.
      message.on("error", () => undefined);
      resolve(responseOf(message));
    });
    request.end(body);
  });
}
