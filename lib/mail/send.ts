import "server-only";
import { newPasswordLink, PASSWORD_LINK_MINUTES, passwordUser } from "@/lib/auth/password-links";
import { db } from "@/lib/db";
import { env } from "@/lib/env";
import { isLocale, type Locale } from "@/lib/i18n/locales";
import { log } from "@/lib/log";
import { composeMail, type MailPurpose } from "./compose";
import { DeliveryError, deliver } from "./deliver";

/** Names a mail and holds nothing of it: its link and the link's token are made when it is sent. */
export type MailRequest = {
  purpose: MailPurpose;
  /** Nobody, where the request must not show that there is nobody: the work is asked for all the same. */
  userId: string | null;
  /** The language of the request that caused it, for whoever has not chosen one. */
  locale: Locale;
};

/**
 * Sends a requested mail, where its user can still use it.
 *
 * @returns "given-up" where the mail server refused it for good
 * @throws DeliveryError where it may be taken later
 */
export async function sendRequestedMail(
  request: MailRequest,
  job: { id: string; signal: AbortSignal },
): Promise<"done" | "given-up"> {
  const { purpose, userId } = request;
  const user = userId && (await passwordUser(db, userId));
  if (!user) return "done";
  const { name: brand } = await db.appConfig.findUniqueOrThrow({ where: { id: 1 } });
  const oneTime = purpose !== "password-changed";
  const mail = composeMail({
    purpose,
    locale: isLocale(user.locale) ? user.locale : request.locale,
    brand,
    name: user.firstNames,
    email: user.email,
    // Where the sending fails the link is left to expire: nobody knows it, or the server took the mail after all.
    url: oneTime
      ? await newPasswordLink(db, { purpose, userId: user.id, now: new Date() })
      : `${env.APP_URL}/generate-password-recovery`,
    minutes: oneTime ? PASSWORD_LINK_MINUTES[purpose] : 0,
  });
  try {
    await deliver({ ...mail, to: user.email, brand }, job);
    return "done";
  } catch (error) {
    if (!(error instanceof DeliveryError && error.permanent)) throw error;
    const { code, responseCode } = error;
    log.error({ purpose, userId: user.id, code, responseCode }, "a mail was refused for good");
    return "given-up";
  }
}
