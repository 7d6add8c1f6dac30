import { plainRoute } from "@/lib/api/route";
import { mayReadMetrics, metricsText } from "@/lib/http/metrics";
import { ApiError } from "@/lib/kernel/errors";

export const dynamic = "force-dynamic";

/** Prometheus metrics for requests with METRICS_TOKEN. */
export const GET = plainRoute(async (request) => {
  if (!mayReadMetrics(request.headers.get("authorization"))) throw new ApiError("not_authenticated");
  const { text, contentType } = await metricsText();
  return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
});
