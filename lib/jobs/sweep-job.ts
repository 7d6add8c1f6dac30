import "server-only";
import { db } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import { storage } from "@/lib/storage";
import type { Job } from "./job";
import { SWEEP_GRACE_MS, sweep } from "./sweep";

/** The time limit of a sweep, after which another instance may start one. */
const SWEEP_SECONDS = 3_600;

/** Runs the sweeper every 15 minutes. */
export const sweepJob: Job = {
  queue: "sweep",
  // `exclusive`: at most one sweep is queued or running on all instances.
  options: { policy: "exclusive", retryLimit: 0, expireInSeconds: SWEEP_SECONDS },
  work: { pollingIntervalSeconds: 30 },
  schedule: "*/15 * * * *",
  async run(_data, { signal }) {
    log.info(await sweep(db, storage(), { now: new Date(), graceMs: SWEEP_GRACE_MS, signal }), "swept");
    return "done";
  },
};
