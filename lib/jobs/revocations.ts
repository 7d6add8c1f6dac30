import "server-only";
import { type Db, db } from "@/lib/db/client";
import { appleRevocations, renewDueRevocations } from "@/lib/install-check/revocation";
import { env } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import type { Job } from "./job";
import { enqueue } from "./queue";

/** Asks Apple whether the certificates that signed published apps are revoked, if the settings say so. */
export const revocationsJob: Job = {
  queue: "revocations",
  // `stately`: over all instances, one run at a time, and one that waits.
  options: { policy: "stately", notify: true, retryLimit: 2, retryDelay: 60, expireInSeconds: 1_800 },
  work: { pollingIntervalSeconds: 30 },
  schedule: "35 * * * *",
  async run(_data, { signal }) {
    if (!env.APPLE_REVOCATION_CHECK) return "done";
    const { asked, failed } = await renewDueRevocations(db, appleRevocations(), { now: () => new Date(), signal });
    if (failed > 0) log.warn({ asked, failed }, "it is not known whether all signing certificates are valid");
    return "done";
  },
};

/** Requests a run after the commit of a transaction, for a certificate that was just read. */
export async function requestRevocations(tx: Db): Promise<void> {
  if (env.APPLE_REVOCATION_CHECK) await enqueue(tx, revocationsJob, {});
}
