import "server-only";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { instanceName } from "./instance";
import { processSingleton } from "./process-singleton";

/** The upper bounds of the histograms, in seconds. */
const ANSWER_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300];
const JOB_BUCKETS = [0.05, 0.25, 1, 5, 30, 120, 600, 1_800, 3_600];

function createMetrics() {
  const registry = new Registry();
  registry.setDefaultLabels({ instance: instanceName() });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    calls: new Counter({
      name: "slipway_operations_total",
      help: "Calls of operations by the status of the answer",
      labelNames: ["operation", "status"],
      registers,
    }),
    callSeconds: new Histogram({
      name: "slipway_operation_seconds",
      help: "Seconds until the answer of an operation began",
      labelNames: ["operation"],
      buckets: ANSWER_BUCKETS,
      registers,
    }),
    rateLimited: new Counter({
      name: "slipway_rate_limited_total",
      help: "Calls that a rate limit rejected, by the name of the limit",
      labelNames: ["limit"],
      registers,
    }),
    receiving: new Gauge({
      name: "slipway_uploads_receiving",
      help: "Files and parts of files that this instance is receiving",
      registers,
    }),
    jobs: new Counter({
      name: "slipway_jobs_total",
      help: "Background jobs that this instance ran, by their result",
      labelNames: ["queue", "outcome"],
      registers,
    }),
    jobSeconds: new Histogram({
      name: "slipway_job_seconds",
      help: "Seconds that a background job took",
      labelNames: ["queue"],
      buckets: JOB_BUCKETS,
      registers,
    }),
    mails: new Counter({
      name: "slipway_mails_total",
      help: "Mails that this instance passed to the mail server, by the result; failed ones are retried",
      labelNames: ["outcome"],
      registers,
    }),
    installersToRead: new Gauge({
      name: "slipway_installers_to_read",
      help: "Installers that a running job still has to read again",
      registers,
    }),
    pushes: new Counter({
      name: "slipway_notifications_total",
      help: "Notifications that this instance passed to push services, by the result; failed ones are retried",
      labelNames: ["outcome"],
      registers,
    }),
    storeCalls: new Counter({
      name: "slipway_store_calls_total",
      help: "Calls of the store for files, by the result",
      labelNames: ["call", "outcome"],
      registers,
    }),
    storeSeconds: new Histogram({
      name: "slipway_store_seconds",
      help: "Seconds that a call of the store for files took",
      labelNames: ["call"],
      buckets: ANSWER_BUCKETS,
      registers,
    }),
  };
}

/** The metrics that this instance counts as it works. */
export const metrics = processSingleton("metrics", createMetrics);
