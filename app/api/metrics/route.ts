/** The metrics for Prometheus: lib/monitoring/metrics.ts. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
