import "server-only";
import { type Db, db } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import { metrics } from "@/lib/kernel/metrics";
import { type ReadingProgress, readMissingFacts } from "@/lib/storage/installer-facts";
import type { Job } from "./job";
import { enqueue } from "./queue";
import { requestRevocations } from "./revocations";

/** How often the log tells how far a run is. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Reads missing facts of installers: those of the executables of new installers, and all facts of installers that were
 * published before the console read them. A publication requests a run; scheduled runs continue the work of a killed
 * instance.
 */
export const installerFactsJob: Job = {
  queue: "installer-facts",
  // `stately`: over all instances, one run at a time, and one that waits.
  options: { policy: "stately", notify: true, retryLimit: 2, retryDelay: 60, expireInSeconds: 6 * 3_600 },
  work: { pollingIntervalSeconds: 30 },
  schedule: "10 * * * *",
  async run(_data, { signal }) {
    const { installersToRead } = metrics.get();
    let loggedAt = performance.now();
    const onProgress = (progress: ReadingProgress) => {
      installersToRead.set(progress.total - progress.done);
      if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
      loggedAt = performance.now();
      log.info(progress, "installers are read again");
    };
    const { total, refused } = await readMissingFacts(db, { now: () => new Date(), signal, onProgress });
    if (total > 0) await requestRevocations(db);
    if (total > 1) log.info({ total, refused }, "installers were read again");
    return "done";
  },
};

/** Requests that the executable of a new installer be read, after the commit of its release. */
export function requestInstallerFacts(tx: Db): Promise<void> {
  return enqueue(tx, installerFactsJob, {});
}
