import "server-only";
import type { Db } from "@/lib/db/client";
import { sendPushes } from "@/lib/testers/pushes";
import { DUE_JOB, type Job } from "./job";
import { enqueue, runWhileDue } from "./queue";

/**
 * Sends the notifications to browsers that are due. The job that makes recipients requests a run; the schedule sees to retries, and to
 * those of an instance that was killed.
 */
export const testerPushesJob: Job = {
  queue: "tester-pushes",
  ...DUE_JOB,
  options: { ...DUE_JOB.options, expireInSeconds: 3_600 },
  async run(_data, { signal }) {
    await runWhileDue(testerPushesJob, (until) => sendPushes({ now: () => new Date(), until, signal }));
    return "done";
  },
};

/** Requests that due notifications be sent after the commit of a transaction. */
export function requestTesterPushes(tx: Db): Promise<void> {
  return enqueue(tx, testerPushesJob, {});
}
