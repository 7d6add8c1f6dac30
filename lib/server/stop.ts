import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { stopReveals } from "@/lib/audit/reveals";
import { closeDatabase } from "@/lib/db/client";
import type { ConsoleServer } from "@/lib/http/server/console-server";
import { stopJobs } from "@/lib/jobs";
import { afterwardsDone } from "@/lib/kernel/afterwards";
import { env } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { doneWithin } from "@/lib/kernel/timeout";
import { stopHeartbeat } from "@/lib/monitoring/instances";
import { stopVisits } from "@/lib/visits/record";
import { stopErrorReporting } from "./error-reporting";
import { nextServer } from "./next-server";
import { hasStarted } from "./start-state";
import { stopTracing } from "./tracing";

/** How long new requests are still accepted, so that a load balancer notices the failing readiness check. */
export const DRAIN_NOTICE_MS = 5_000;
/** How long running uploads and downloads may take to finish. */
const DRAIN_TIMEOUT_MS = 60_000;
/** How long what goes on after answers may take to finish, such as the removal of files. */
const AFTERWARDS_TIMEOUT_MS = 2_000;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

const state = processSingleton("stopping", () => ({ isStopping: false }));

/** Returns whether this instance is stopping. */
export function isStopping(): boolean {
  return state.get().isStopping;
}

async function stop(connections: ConsoleServer): Promise<void> {
  state.get().isStopping = true;
  log.info("stopping: running requests may finish");
  connections.answerLast();
  const jobs = stopJobs().catch((error) => log.warn({ err: error }, "the jobs did not stop"));
  // `npm start` has no load balancer, and an instance that has not started has no requests.
  if (!env.SLIPWAY_LOCAL && hasStarted()) await delay(DRAIN_NOTICE_MS);
  await connections.close();
  const finished = await doneWithin(connections.idle(), DRAIN_TIMEOUT_MS);
  if (!finished) {
    log.warn(`requests that did not finish within ${DRAIN_TIMEOUT_MS / 1000} s are cut off`);
    connections.destroy();
  }
  await jobs;
  const isDone = await doneWithin(afterwardsDone(), AFTERWARDS_TIMEOUT_MS);
  if (!isDone) log.warn("work that goes on after answers is cut off");
  await stopHeartbeat().catch((error) => log.warn({ err: error }, "the instance could not tell that it ends"));
  await stopReveals().catch((error) => log.warn({ err: error }, "counts of reveals could not be written"));
  await stopVisits().catch((error) => log.warn({ err: error }, "steps of installations could not be written"));
  await nextServer.get().close();
  await closeDatabase();
  await Promise.all([stopErrorReporting(), stopTracing()]);
  log.info("stopped");
}

/**
 * Stops this instance gracefully on SIGTERM or SIGINT: the readiness check fails, running requests finish, jobs and database
 * connections are closed, and the process exits with 0. A second signal exits at once.
 */
export function stopOnSignal(connections: ConsoleServer): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isStopping()) process.exit(1);
      stop(connections).then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, "the stop failed");
          process.exit(1);
        },
      );
    });
  }
}
