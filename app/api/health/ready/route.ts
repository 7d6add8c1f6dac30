import { plainRoute } from "@/lib/api/route";
import { readiness } from "@/lib/server/readiness";

export const dynamic = "force-dynamic";

/** Reports whether the database and the store respond. */
export const GET = plainRoute(async () => {
  const { ready, checks } = await readiness();
  return Response.json(
    { status: ready ? "ready" : "unavailable", checks },
    { status: ready ? 200 : 503, headers: { "Cache-Control": "no-store", ...(!ready && { "Retry-After": "5" }) } },
  );
});
