import { plainRoute } from "@/lib/api/route";

/** Reports that the process responds. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = plainRoute("/api/health/live", () =>
  Response.json({ status: "live" }, { headers: { "Cache-Control": "no-store" } }),
);
