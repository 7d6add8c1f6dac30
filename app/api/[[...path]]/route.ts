import { noRoute } from "@/lib/api/route";
import { toResponse } from "@/lib/http/reply";
import { handlerOf } from "@/lib/http/routes";

/**
 * Answers the API in the development server, which reloads changed operations. The built server answers it before Next
 * (docs/decisions/021-the-api-is-answered-before-next.md).
 */
async function answer(request: Request): Promise<Response> {
  // biome-ignore lint/style/noProcessEnv: Next replaces this expression at build time to exclude the routes from the page server
  const routes = process.env.NODE_ENV === "development" ? (await import("@/lib/routes")).routes : null;
  const handle = (routes && handlerOf(routes, new URL(request.url).pathname)) ?? noRoute;
  return toResponse(await handle(request), request);
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
