import { problemResponse } from "@/lib/api/problem";
import { requestFacts } from "@/lib/api/request-facts";
import { ApiError } from "@/lib/errors";
import { mayReadMetrics, metricsText } from "@/lib/server/metrics";

export const dynamic = "force-dynamic";

/** Prometheus text, for whoever presents METRICS_TOKEN. */
export async function GET(request: Request): Promise<Response> {
  if (!mayReadMetrics(request.headers.get("authorization"))) {
    const { locale, requestId } = requestFacts(request.headers, request.method, request.signal);
    return problemResponse(new ApiError("not_authenticated"), locale, requestId);
  }
  const { text, contentType } = await metricsText();
  return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
}
