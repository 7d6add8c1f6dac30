import "server-only";
import { makeUniversalApks } from "@/lib/bundles/universal-apk";
import { type Db, db } from "@/lib/db/client";
import { MINUTE_MS } from "@/lib/kernel/time";
import { type Job, REQUESTED_JOB } from "./job";
import { enqueue } from "./queue";

/** After this, a run leaves the other bundles to the next one, so that it ends before its time limit. */
const RUN_MS = 20 * MINUTE_MS;

/**
 * Makes the APKs of app bundles, one at a time over all instances. A publication requests a run; the schedule goes on with what an
 * instance that was killed had begun.
 */
export const universalApksJob: Job = {
  queue: "universal-apks",
  ...REQUESTED_JOB,
  schedule: "*/10 * * * *",
  async run(_data, { signal }) {
    const more = await makeUniversalApks({ until: new Date(Date.now() + RUN_MS), signal });
    if (more) await requestUniversalApks(db);
    return "done";
  },
};

/** Requests that APKs be made of the bundles that wait, after the commit of a transaction. */
export function requestUniversalApks(tx: Db): Promise<void> {
  return enqueue(tx, universalApksJob, {});
}
