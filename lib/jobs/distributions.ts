import "server-only";
import { type Db, db } from "@/lib/db/client";
import { makeRecipients } from "@/lib/testers/distributions";
import { DUE_JOB, type Job } from "./job";
import { enqueue } from "./queue";
import { requestTesterMails } from "./tester-mails";
import { requestTesterPushes } from "./tester-pushes";
import { requestDeliveries } from "./webhooks";

/**
 * Makes the recipients of releases that were distributed. A distribution requests a run; the schedule continues those of an instance
 * that was killed.
 */
export const distributionsJob: Job = {
  queue: "distributions",
  ...DUE_JOB,
  async run(_data, { signal }) {
    const { batches, events } = await makeRecipients(() => new Date(), signal);
    if (events > 0) await requestDeliveries();
    if (batches > 0) {
      await requestTesterMails(db);
      await requestTesterPushes(db);
    }
    return "done";
  },
};

/** Requests that the recipients of a distribution be made after the commit of its transaction. */
export function requestRecipients(tx: Db): Promise<void> {
  return enqueue(tx, distributionsJob, {});
}
