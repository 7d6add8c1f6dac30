import "server-only";
import type { Db } from "@/lib/db/client";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { NoticePurpose } from "@/lib/mail/compose";
import { type MailRequest, sendRequestedMail } from "@/lib/mail/send";
import type { Job } from "./job";
import { enqueue } from "./queue";

/** Sends mails, and tries for about a day while the mail server is away. */
export const mailJob: Job<MailRequest> = {
  queue: "mail",
  options: {
    notify: true,
    // 10 s, 20 s, 40 s … half an hour, and then every half hour.
    retryLimit: 56,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 1_800,
    // More than the SMTP time-outs of one mail come to, so that no other instance sends what this one is sending.
    expireInSeconds: 600,
    deleteAfterSeconds: 86_400,
  },
  // A notification of the database wakes the worker at once; the interval is for tries whose time has come.
  work: { pollingIntervalSeconds: 2, batchSize: 5 },
  run: sendRequestedMail,
};

/**
 * Asks for a mail to a user. It is sent after the transaction is committed, by any free instance, once the
 * mail server takes it; a user who cannot use it by then (switched off; a link: signing in by a provider) gets none.
 *
 * @param tx the transaction of the change that the mail tells of
 */
export function requestMail(tx: Db, request: MailRequest): Promise<void> {
  return enqueue(tx, mailJob, request);
}

/**
 * Asks for a mail that tells somebody of a change in how they sign in, as `requestMail` does.
 *
 * @param cause the request that made the change; an address that is not theirs to know is left out
 */
export function requestNotice(
  tx: Db,
  notice: { purpose: NoticePurpose; userId: string; codesLeft?: number },
  cause: Pick<RequestFacts, "locale" | "now" | "ip">,
): Promise<void> {
  const { locale, now, ip } = cause;
  return requestMail(tx, { ...notice, locale, at: now.toISOString(), ip });
}
