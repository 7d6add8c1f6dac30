import "server-only";
import { db } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import { emptyBin } from "@/lib/storage/bin";
import type { Job } from "./job";

/** Deletes releases of the bin that can no longer be restored, every hour and when somebody empties the bin. */
export const binJob: Job = {
  queue: "bin",
  // `exclusive`: one run waits or runs, over all instances.
  options: { policy: "exclusive", notify: true, retryLimit: 2, retryDelay: 60, expireInSeconds: 3_600 },
  work: { pollingIntervalSeconds: 30 },
  schedule: "40 * * * *",
  async run(_data, { signal }) {
    const releases = await emptyBin(db, { now: new Date(), signal });
    if (releases > 0) log.info({ releases }, "releases have left the bin");
    return "done";
  },
};
