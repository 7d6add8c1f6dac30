import "server-only";
import { timingSafeEqual } from "node:crypto";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { hashToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { processSingleton } from "@/lib/kernel/process-singleton";
import type { BinaryReply } from "./reply";
import type { RouteRequest } from "./routes";

interface Metrics {
  registry: Registry;
  calls: Counter<"operation" | "status">;
  seconds: Histogram<"operation">;
}

const metrics = processSingleton("metrics", (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    calls: new Counter({
      name: "slipway_operations_total",
      help: "Calls of operations by the status of the answer",
      labelNames: ["operation", "status"],
      registers: [registry],
    }),
    seconds: new Histogram({
      name: "slipway_operation_seconds",
      help: "Seconds until the answer of an operation began",
      labelNames: ["operation"],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
      registers: [registry],
    }),
  };
});

/** Counts one call of an operation. */
export function countCall(operation: string, status: number, seconds: number): void {
  metrics.get().calls.inc({ operation, status: String(status) });
  metrics.get().seconds.observe({ operation }, seconds);
}

/** Whether an Authorization header carries METRICS_TOKEN. Without the setting, no header does. */
function mayReadMetrics(authorization: string | null): boolean {
  if (!env.METRICS_TOKEN || !authorization?.startsWith("Bearer ")) return false;
  return timingSafeEqual(hashToken(authorization.slice(7)), hashToken(env.METRICS_TOKEN));
}

/**
 * All metrics in the Prometheus text format.
 * @throws ApiError not_authenticated without METRICS_TOKEN
 */
export async function readMetrics({ headers }: RouteRequest): Promise<BinaryReply> {
  if (!mayReadMetrics(headers.get("authorization"))) throw new ApiError("not_authenticated");
  const { registry } = metrics.get();
  return {
    status: 200,
    headers: { "Content-Type": registry.contentType, "Cache-Control": "no-store" },
    body: await registry.metrics(),
  };
}
