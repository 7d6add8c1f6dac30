import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { closeDatabase } from "@/lib/db/client";
import type { HttpConnections } from "@/lib/http/node-server";
import { stopJobs } from "@/lib/jobs";
import { env } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";

/** So long are new requests still answered, for whoever distributes them to see the readiness fail; milliseconds. */
const NOTICE_MS = 5_000;
/** So long may uploads and downloads go on that had begun; milliseconds. */
const FINISH_MS = 60_000;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

// Kept outside the module: the start and the routes are bundled apart.
const kept = globalThis as { slipwayStopping?: boolean };

/** Whether this instance is going down: it finishes what it has begun, and wants nothing new. */
export function isStopping(): boolean {
  return kept.slipwayStopping === true;
}

async function stop(connections: HttpConnections): Promise<void> {
  kept.slipwayStopping = true;
  log.info("stopping: running requests may finish");
  connections.answerLast();
  const jobs = stopJobs().catch((error) => log.warn({ err: error }, "the jobs did not stop in order"));
  // `npm start` has nobody in front of it who would have to notice.
  if (!env.SLIPWAY_LOCAL) await delay(NOTICE_MS);
  connections.close();
  const finished = await Promise.race([connections.idle().then(() => true), delay(FINISH_MS, false, { ref: false })]);
  if (!finished) {
    log.warn(`requests that were not through after ${FINISH_MS / 1000} s are cut off`);
    connections.destroy();
  }
  await jobs;
  await closeDatabase();
  log.info("stopped");
}

/**
 * Has SIGTERM and SIGINT end this instance in order: the readiness fails first, what has begun finishes, the jobs and
 * the database's connections end, and the process exits with 0. A second signal ends it at once.
 *
 * Next has listeners of its own, which it sets before this runs unless NEXT_MANUAL_SIG_HANDLE is set: they know nothing
 * of readiness, jobs or a limit, and exit with 143. They are taken off, so that it does not depend on how the server is
 * started.
 */
export function stopOnSignal(connections: HttpConnections): void {
  // `next dev` ends in its own way.
  if (env.NODE_ENV !== "production") return;
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal);
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
