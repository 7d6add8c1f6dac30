import "server-only";
import type { Db } from "@/lib/db/client";
import { sendTesterMails } from "@/lib/testers/mails";
import { DUE_JOB, type Job } from "./job";
import { enqueue, runWhileDue } from "./queue";

/**
 * Sends the due mails to testers. A change that makes a mail due requests a run. Scheduled runs send mails that become
 * due later, retries, and mails of an instance that was killed.
 */
export const testerMailsJob: Job = {
  queue: "tester-mails",
  ...DUE_JOB,
  options: { ...DUE_JOB.options, expireInSeconds: 3_600 },
  async run(_data, { signal }) {
    await runWhileDue(testerMailsJob, (until) => sendTesterMails({ now: () => new Date(), until, signal }));
    return "done";
  },
};

/** Requests that due mails be sent after the commit of a transaction. */
export function requestTesterMails(tx: Db): Promise<void> {
  return enqueue(tx, testerMailsJob, {});
}
