import "server-only";
import { timingSafeEqual } from "node:crypto";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { hashToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";

interface Metrics {
  registry: Registry;
  calls: Counter<"operation" | "status">;
  seconds: Histogram<"operation">;
}

// Kept outside the module: the routes and the start are bundled apart and must count in the same place.
const kept = globalThis as { slipwayMetrics?: Metrics };

function metrics(): Metrics {
  if (kept.slipwayMetrics) return kept.slipwayMetrics;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  kept.slipwayMetrics = {
    registry,
    calls: new Counter({
      name: "slipway_operations_total",
      help: "Calls of operations by the status that they were answered with",
      labelNames: ["operation", "status"],
      registers: [registry],
    }),
    seconds: new Histogram({
      name: "slipway_operation_seconds",
      help: "How long operations took until their answer began",
      labelNames: ["operation"],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
      registers: [registry],
    }),
  };
  return kept.slipwayMetrics;
}

/** Counts one call of an operation. */
export function countCall(operation: string, status: number, seconds: number): void {
  metrics().calls.inc({ operation, status: String(status) });
  metrics().seconds.observe({ operation }, seconds);
}

/** Whether an Authorization header carries METRICS_TOKEN; without the setting, nobody may. */
export function mayReadMetrics(authorization: string | null): boolean {
  if (!env.METRICS_TOKEN || !authorization?.startsWith("Bearer ")) return false;
  return timingSafeEqual(hashToken(authorization.slice(7)), hashToken(env.METRICS_TOKEN));
}

/** Everything that was counted, in Prometheus's text form. */
export async function metricsText(): Promise<{ text: string; contentType: string }> {
  return { text: await metrics().registry.metrics(), contentType: metrics().registry.contentType };
}
