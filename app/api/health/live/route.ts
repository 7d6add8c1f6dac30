import { plainRoute } from "@/lib/api/route";

/** Reports that the process responds. */
export const GET = plainRoute(() => Response.json({ status: "live" }, { headers: { "Cache-Control": "no-store" } }));
