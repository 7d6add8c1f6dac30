import "server-only";
import type { Db } from "@/lib/db/client";
import { sendTesterMails } from "@/lib/testers/mails";
import type { Job } from "./job";
import { enqueue, runWhileDue } from "./queue";

/**
 * Sends the due mails to testers. A change that makes a mail due requests a run. Scheduled runs send mails that become
 * due later, retries, and mails of an instance that was killed.
 */
export const testerMailsJob: Job = {
  queue: "tester-mails",
  options: { notify: true, retryLimit: 0, expireInSeconds: 3_600, deleteAfterSeconds: 3_600 },
  work: { pollingIntervalSeconds: 2 },
  schedule: "* * * * *",
  async run(_data, { signal }) {
    await runWhileDue(testerMailsJob, (until) => sendTesterMails({ now: () => new Date(), until, signal }));
    return "done";
  },
};

/** Requests that due mails be sent after the commit of a transaction. */
export function requestTesterMails(tx: Db): Promise<void> {
  return enqueue(tx, testerMailsJob, {});
}
