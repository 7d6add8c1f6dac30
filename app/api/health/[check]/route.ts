/** The health checks: lib/server/readiness.ts. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
