import { plainRoute } from "@/lib/api/route";

/** The process answers. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = plainRoute("/api/health/live", () =>
  Response.json({ status: "live" }, { headers: { "Cache-Control": "no-store" } }),
);
