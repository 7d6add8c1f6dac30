import "server-only";
import {
  newPasswordLink,
  type PasswordLinkPurpose,
  passwordLinkMinutes,
  passwordUser,
} from "@/lib/auth/password-links";
import { db } from "@/lib/db/client";
import { isLocale, type Locale } from "@/lib/kernel/i18n/locales";
import { log } from "@/lib/kernel/log";
import { composeMail, type LinkFacts, type NoticeFacts, type NoticePurpose } from "./compose";
import { DeliveryError, deliver } from "./deliver";

/** Names a mail with a link and holds nothing of it: the link and its token are made when it is sent. */
type LinkRequest = { purpose: PasswordLinkPurpose };

/** Names a mail that tells of a change, with how things stood when it was made. */
type NoticeRequest = {
  purpose: NoticePurpose;
  /** ISO 8601. */
  at: string;
  ip: string | null;
  codesLeft?: number;
};

/** Asks for a mail. */
export type MailRequest = (LinkRequest | NoticeRequest) & {
  /** Nobody, where the request must not show that there is nobody: the work is asked for all the same. */
  userId: string | null;
  /** The language of the request that caused it, for a user who has not chosen one. */
  locale: Locale;
};

/** What a mail is to say to a user; null where it would be of no use to them. */
async function factsFor(userId: string, request: LinkRequest | NoticeRequest): Promise<LinkFacts | NoticeFacts | null> {
  const hasPassword = (await passwordUser(db, userId)) !== null;
  if ("at" in request) {
    const { purpose, at, ip, codesLeft = 0 } = request;
    return { purpose, at: new Date(at), ip, codesLeft, hasPassword };
  }
  const { purpose } = request;
  if (!hasPassword) return null;
  // Where the sending fails the link is left to expire: nobody knows it, or the server took the mail after all.
  const url = await newPasswordLink(db, { purpose, userId, now: new Date() });
  return { purpose, url, minutes: passwordLinkMinutes(purpose) };
}

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
  const { purpose, userId, locale } = request;
  const user = userId && (await db.user.findFirst({ where: { id: userId, status: "active" } }));
  const facts = user && (await factsFor(user.id, request));
  if (!user || !facts) return "done";
  const { name: brand } = await db.appConfig.findUniqueOrThrow({ where: { id: 1 } });
  const mail = composeMail({
    ...facts,
    locale: isLocale(user.locale) ? user.locale : locale,
    brand,
    name: user.firstNames,
    email: user.email,
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
