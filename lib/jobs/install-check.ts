import "server-only";
import { type Db, db } from "@/lib/db/client";
import { findCheckable, keepCheck } from "@/lib/install-check/data";
import { checkInstallation } from "@/lib/install-check/run";
import { findsNoFailure } from "@/lib/kernel/install-check-codes";
import { log } from "@/lib/kernel/log";
import type { Job } from "./job";
import { enqueue } from "./queue";

/** Checks after a publication whether phones can install it from this console. */
export const installCheckJob: Job<{ releaseIds: readonly string[] }> = {
  queue: "install-check",
  options: { notify: true, retryLimit: 2, retryDelay: 30, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  work: { pollingIntervalSeconds: 2 },
  async run({ releaseIds }, { signal }) {
    for (const id of releaseIds) {
      const release = await findCheckable(db, id);
      if (!release) continue;
      const findings = await checkInstallation([release], { signal });
      await keepCheck(db, id, { ranAt: new Date(), findings });
      if (findsNoFailure(findings)) continue;
      const failed = findings.filter(({ result }) => result === "failure").map(({ code, seen }) => `${code}: ${seen}`);
      log.warn({ releaseId: id, failed }, "phones cannot install this release from this console");
    }
    return "done";
  },
};

/** Requests the checks of releases after the commit of a transaction. */
export async function requestInstallChecks(tx: Db, releaseIds: readonly string[]): Promise<void> {
  if (releaseIds.length > 0) await enqueue(tx, installCheckJob, { releaseIds });
}
