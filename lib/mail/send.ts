import "server-only";
import {
  isPasswordLinkPurpose,
  newPasswordLink,
  type PasswordLinkPurpose,
  passwordLinkMinutes,
  passwordUser,
} from "@/lib/auth/password-links";
import { type Db, db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { isLocale, type Locale } from "@/lib/kernel/i18n/locales";
import { log } from "@/lib/kernel/log";
import { metrics } from "@/lib/kernel/metrics";
import {
  type AdministratorFacts,
  composeMail,
  type ExpiryFacts,
  type FeedbackFacts,
  type LeavingFacts,
  type MailFacts,
  type NoticePurpose,
} from "./compose";
import { DeliveryError, deliver } from "./deliver";

/** A request for a mail with a link. The link and its token are created when the mail is sent. */
type LinkRequest = { purpose: PasswordLinkPurpose };

/** A request for a mail that notifies of a change, with the facts at the time of the change. */
type NoticeRequest = {
  purpose: NoticePurpose;
  /** ISO 8601. */
  at: string;
  ip: string | null;
  codesLeft?: number;
};

/** A request for a mail with its whole content. */
type CompleteRequest = AdministratorFacts | LeavingFacts | FeedbackFacts | ExpiryFacts;

/** The data of a mail job. */
export type MailRequest = (LinkRequest | NoticeRequest | CompleteRequest) & {
  /** Null if there is no such user: the job is still created, so that timing does not reveal it. */
  userId: string | null;
  /** The language of the request, for users who have not chosen one. */
  locale: Locale;
};

const COMPLETE_PURPOSES: readonly string[] = [
  "expiring",
  "audit-broken",
  "webhook-disabled",
  "releases-leave",
  "feedback",
] satisfies CompleteRequest["purpose"][];

function isComplete(request: MailRequest): request is MailRequest & CompleteRequest {
  return COMPLETE_PURPOSES.includes(request.purpose);
}

/** Returns the content of a mail; null if the user cannot use it. */
async function factsFor(userId: string, request: MailRequest): Promise<MailFacts | null> {
  if (isComplete(request)) return request;
  if ("at" in request) {
    const { purpose, at, ip, codesLeft = 0 } = request;
    const hasPassword = (await passwordUser(db, userId)) !== null;
    return { purpose, at: new Date(at), ip, codesLeft, hasPassword };
  }
  const { purpose } = request;
  // A mail that an earlier version requested may have a purpose that this one does not know.
  if (!isPasswordLinkPurpose(purpose)) return null;
  const url = await db.$transaction((tx) => linkFor(tx, userId, purpose));
  return url === null ? null : { purpose, url, minutes: passwordLinkMinutes(purpose) };
}

/** A new link to set a password; null if the user cannot use it. */
async function linkFor(tx: Db, userId: string, purpose: PasswordLinkPurpose): Promise<string | null> {
  // The user may be choosing a password at this moment, which takes the same lock.
  await lockRow(tx, "User", userId);
  const user = await passwordUser(tx, userId);
  // The user has chosen a password since the invitation was requested, by an earlier link.
  if (user === null || (purpose === "invitation" && user.passwordHash !== null)) return null;
  // If sending fails, the link expires unused: nobody received it, or the server accepted the mail after all.
  return newPasswordLink(tx, { purpose, userId, now: new Date() });
}

/**
 * Sends a requested mail, unless its user can no longer use it.
 *
 * @returns "rejected" if the mail server rejects it permanently
 * @throws DeliveryError if a retry may succeed
 */
export async function sendRequestedMail(
  request: MailRequest,
  job: { id: string; signal: AbortSignal },
): Promise<"done" | "rejected"> {
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
    metrics.get().mails.inc({ outcome: "sent" });
    return "done";
  } catch (error) {
    const isRejected = error instanceof DeliveryError && error.permanent;
    metrics.get().mails.inc({ outcome: isRejected ? "rejected" : "failed" });
    if (!isRejected) throw error;
    const { code, responseCode } = error;
    log.error({ purpose, userId: user.id, code, responseCode }, "the mail server rejected a mail permanently");
    return "rejected";
  }
}

/** How a test mail ended. */
interface TestOutcome {
  outcome: "accepted" | "failed" | "written";
  code: string | null;
  responseCode: number | null;
}

/** Sends a test mail to a user at once. @param mail.id the mail's ID @param mail.locale for a user who has chosen no language */
export async function sendTestMail(mail: { userId: string; locale: Locale; id: string }): Promise<TestOutcome> {
  const user = await db.user.findUniqueOrThrow({ where: { id: mail.userId } });
  const { name: brand } = await db.appConfig.findUniqueOrThrow({ where: { id: 1 } });
  const locale = isLocale(user.locale) ? user.locale : mail.locale;
  const composed = composeMail({ purpose: "test", locale, brand, name: user.firstNames, email: user.email });
  try {
    const isAccepted = await deliver({ ...composed, to: user.email, brand }, { id: mail.id });
    return { outcome: isAccepted ? "accepted" : "written", code: null, responseCode: null };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    return { outcome: "failed", code: error.code, responseCode: error.responseCode ?? null };
  }
}
