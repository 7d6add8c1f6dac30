import "server-only";
import { db } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import { storage } from "@/lib/storage";
import type { Job } from "./job";
import { SWEEP_GRACE_MS, sweep } from "./sweep";

/** A sweep of a very large store; after this another instance may begin one. */
const SWEEP_SECONDS = 3_600;

/** Removes what was never finished, every quarter of an hour. */
export const sweepJob: Job = {
  queue: "sweep",
  // `exclusive`: one sweep waits or runs, over all instances.
  options: { policy: "exclusive", retryLimit: 0, expireInSeconds: SWEEP_SECONDS },
  work: { pollingIntervalSeconds: 30 },
  schedule: "*/15 * * * *",
  async run(_data, { signal }) {
    log.info(await sweep(db, storage(), { now: new Date(), graceMs: SWEEP_GRACE_MS, signal }), "swept");
    return "done";
  },
};
