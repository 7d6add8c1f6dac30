import "server-only";
import { noRoute } from "@/lib/api/route";
import { compressed } from "@/lib/http/compression";
import { currentExchange } from "@/lib/http/exchange";
import { toResponse } from "@/lib/http/reply";
import { handlerOf } from "@/lib/http/routes";
import { resolvedPath } from "@/lib/http/target";

/**
 * Answers a request that Next has routed. The table of routes is the one of the listener before Next (`lib/http/server/listener.ts`),
 * which usually answers every call; it is loaded by the first request.
 */
async function answer(request: Request): Promise<Response> {
  const { routes } = await import("@/lib/routes");
  const handle = handlerOf(routes, resolvedPath(new URL(request.url).pathname), request.method) ?? noRoute;
  const exchange = currentExchange();
  const reply = await compressed(await handle(request), exchange?.acceptEncoding);
  const { headers, body } = reply;
  if (request.method !== "HEAD" && (typeof body === "string" || body instanceof Uint8Array))
    headers.set("Content-Length", String(Buffer.byteLength(body)));
  exchange?.response.keepHeaders(headers);
  return toResponse(reply, request);
}

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
