import "server-only";
import type { Db } from "@/lib/db/client";
import type { RequestFacts } from "@/lib/http/request-facts";
import { DEFAULT_LOCALE } from "@/lib/kernel/i18n/locales";
import type { AdministratorFacts, NoticePurpose } from "@/lib/mail/compose";
import { type MailRequest, sendRequestedMail } from "@/lib/mail/send";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import type { Job } from "./job";
import { enqueue } from "./queue";

/** Sends mails. Retries for about a day if the mail server is unavailable. */
export const mailJob: Job<MailRequest> = {
  queue: "mail",
  options: {
    notify: true,
    // 10 s, 20 s, 40 s … half an hour, and then every half hour.
    retryLimit: 56,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 1_800,
    // Longer than the sum of the SMTP timeouts of a mail, so that no other instance sends it at the same time.
    expireInSeconds: 600,
    deleteAfterSeconds: 86_400,
  },
  // A database notification wakes the worker at once. The polling interval is for retries.
  work: { pollingIntervalSeconds: 2, batchSize: 5 },
  run: sendRequestedMail,
};

/**
 * Requests a mail to a user. Any instance sends it after the transaction commits. It is not sent if the user is inactive by
 * then or, for a mail with a link, signs in with a provider.
 *
 * @param tx the transaction of the change that the mail is about
 */
export function requestMail(tx: Db, request: MailRequest): Promise<void> {
  return enqueue(tx, mailJob, request);
}

/** Requests a mail to each active administrator, like `requestMail`. */
export async function requestMailToAdministrators(tx: Db, facts: AdministratorFacts): Promise<void> {
  const administrators = await tx.user.findMany({
    where: { status: "active", role: { name: SUPER_ADMIN } },
    select: { id: true },
  });
  for (const { id: userId } of administrators) await requestMail(tx, { ...facts, userId, locale: DEFAULT_LOCALE });
}

/**
 * Requests a mail that notifies a user of a change of their sign-in methods, like `requestMail`.
 *
 * @param cause the request that made the change; `ip` is null if it must not be disclosed to the user
 */
export function requestNotice(
  tx: Db,
  notice: { purpose: NoticePurpose; userId: string; codesLeft?: number },
  cause: Pick<RequestFacts, "locale" | "now" | "ip">,
): Promise<void> {
  const { locale, now, ip } = cause;
  return requestMail(tx, { ...notice, locale, at: now.toISOString(), ip });
}
