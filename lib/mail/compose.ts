import type { PasswordLinkPurpose } from "@/lib/auth/password-links";
import { env } from "@/lib/kernel/env";
import type { ExpiringKind } from "@/lib/kernel/expiring-kinds";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import { BIN_DAYS } from "@/lib/storage/bin-days";
import { type MailContent, mailHtml, mailText } from "./layout";

const NOTICE_KEYS = {
  "password-changed": "passwordChanged",
  "two-factor-enabled": "twoFactorEnabled",
  "two-factor-disabled": "twoFactorDisabled",
  "two-factor-reset": "twoFactorReset",
  "recovery-code-used": "recoveryCodeUsed",
  "recovery-codes-replaced": "recoveryCodesReplaced",
  "passkey-added": "passkeyAdded",
  "passkey-removed": "passkeyRemoved",
} as const;

/** A change of a user's sign-in methods about which the user is notified. */
export type NoticePurpose = keyof typeof NOTICE_KEYS;
export const NOTICE_PURPOSES = Object.keys(NOTICE_KEYS) as NoticePurpose[];

/** The content of a mail with a one-time link for setting a password. */
export interface LinkFacts {
  purpose: PasswordLinkPurpose;
  url: string;
  /** How long the link is valid. */
  minutes: number;
}

/** The content of a mail that notifies of a change. */
export interface NoticeFacts {
  purpose: NoticePurpose;
  at: Date;
  /** The IP address of the request; null if it is unknown or not disclosed to the user. */
  ip: string | null;
  /** The number of unused recovery codes after one was used. */
  codesLeft: number;
  /** Whether the user signs in with a password and can request a new one. */
  hasPassword: boolean;
}

/** The content of a mail about what ends soon. */
export interface ExpiryFacts {
  purpose: "expiring";
  /** How many things there are. */
  count: number;
  /** Some of them, what ends first first. */
  items: {
    kind: ExpiringKind;
    name: string;
    /** The application, the environment and the release; empty for what belongs to the whole console. */
    place: string;
    /** ISO 8601. */
    endsAt: string;
    /** 0 on the day itself. */
    daysLeft: number;
  }[];
}

/** The content of a mail about an audit log that was changed. */
interface AuditFacts {
  purpose: "audit-broken";
  /** The number of the first wrong record. */
  firstRecord: string;
  /** When that was found; ISO 8601. */
  at: string;
}

/** The content of a mail about a webhook that the console has turned off. */
interface WebhookFacts {
  purpose: "webhook-disabled";
  name: string;
  /** The host that it sends to. */
  host: string;
  /** When its first try failed; ISO 8601. */
  since: string;
}

/** The content of a mail about feedback on a release. */
export interface FeedbackFacts {
  purpose: "feedback";
  app: string;
  environment: string;
  version: string;
  buildNumber: string;
  /** From 1 to 5. */
  rating: number | null;
  /** The path of the page with the feedback. */
  path: string;
}

/** The content of a mail to all administrators. */
export type AdministratorFacts = AuditFacts | WebhookFacts;

/** The content of a mail about releases that go to the bin the next day. */
export interface LeavingFacts {
  purpose: "releases-leave";
  appId: string;
  environmentId: string;
  app: string;
  environment: string;
  /** How many there are. */
  count: number;
  /** The names of some of them. */
  releases: string[];
}

/** The content of a mail that an administrator sends to themselves. */
interface TestFacts {
  purpose: "test";
}

/** The content of any mail. */
export type MailFacts =
  | LinkFacts
  | NoticeFacts
  | FeedbackFacts
  | AdministratorFacts
  | LeavingFacts
  | ExpiryFacts
  | TestFacts;

/** The subject and parts of a mail. */
export interface ComposedMail {
  subject: string;
  html: string;
  text: string;
}

/** The texts that differ between mails. */
type MailTexts = Pick<MailContent, "body" | "facts" | "action" | "notes" | "stop"> & { subject: string; title: string };

const MINUTES_PER_DAY = 24 * 60;

/** Replaces white space and control characters, including line breaks, with spaces, for use in a mail header. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function formatTime(time: Date, locale: Locale): string {
  return time.toLocaleString(locale, { dateStyle: "long", timeStyle: "long", timeZone: "UTC" });
}

function linkTexts(
  t: AppTranslator,
  { purpose, url, minutes }: LinkFacts,
  named: { brand: string; email: string },
): MailTexts {
  const validity =
    purpose === "recovery"
      ? t("mail.recovery.validity", { minutes })
      : t("mail.invitation.validity", { days: minutes / MINUTES_PER_DAY });
  return {
    subject: t(`mail.${purpose}.subject`, named),
    title: t(`mail.${purpose}.title`, named),
    body: t(`mail.${purpose}.body`, named),
    facts: [],
    action: { label: t(`mail.${purpose}.action`), url },
    notes: [validity, t(`mail.${purpose}.otherwise`)],
  };
}

function noticeTexts(
  t: AppTranslator,
  { purpose, at, ip, codesLeft, hasPassword }: NoticeFacts,
  named: { brand: string; email: string; locale: Locale },
): MailTexts {
  const key = NOTICE_KEYS[purpose];
  const time = formatTime(at, named.locale);
  return {
    subject: t(`mail.${key}.subject`, named),
    title: t(`mail.${key}.title`),
    body: t(`mail.${key}.body`, { ...named, left: codesLeft }),
    facts: [t("mail.notice.time", { time }), ...(ip === null ? [] : [t("mail.notice.address", { ip })])],
    action: hasPassword
      ? { label: t("mail.notice.action"), url: `${env.APP_URL}${PAGES.passwordRecovery}` }
      : { label: t("mail.notice.actionAccount"), url: `${env.APP_URL}${PAGES.profile}` },
    notes: [
      t(hasPassword ? "mail.notice.otherwise" : "mail.notice.otherwiseProvider"),
      ...(purpose === "passkey-added" ? [t("mail.passkeyAdded.more")] : []),
    ],
  };
}

function expiryTexts(
  t: AppTranslator,
  { count, items }: ExpiryFacts,
  named: { brand: string; locale: Locale },
): MailTexts {
  const lines = items.map(({ kind, name, place, endsAt }) => {
    const date = new Date(endsAt).toLocaleDateString(named.locale, { dateStyle: "long", timeZone: "UTC" });
    const line = { kind: t(`expiry.kinds.${kind}`), name: oneLine(name), date };
    return place ? t("mail.expiring.placed", { ...line, place: oneLine(place) }) : t("mail.expiring.item", line);
  });
  const more = count - items.length;
  const first = { name: oneLine(items[0]?.name ?? ""), days: items[0]?.daysLeft ?? 0, count };
  const title = t(count === 1 ? "mail.expiring.one" : "mail.expiring.several", first);
  return {
    subject: `${named.brand}: ${title}`,
    title,
    body: t("mail.expiring.body"),
    facts: more > 0 ? [...lines, t("mail.expiring.more", { more })] : lines,
    action: { label: t("mail.expiring.action"), url: `${env.APP_URL}${PAGES.expiry}` },
    notes: [t("mail.expiring.note")],
    stop: { label: t("mail.expiring.stop"), url: `${env.APP_URL}${PAGES.profile}` },
  };
}

function auditTexts(
  t: AppTranslator,
  { firstRecord, at }: AuditFacts,
  named: { brand: string; locale: Locale },
): MailTexts {
  return {
    subject: t("mail.auditBroken.subject", named),
    title: t("mail.auditBroken.title"),
    body: t("mail.auditBroken.body", named),
    facts: [
      t("mail.auditBroken.record", { id: Number(firstRecord) }),
      t("mail.auditBroken.time", { time: formatTime(new Date(at), named.locale) }),
    ],
    action: { label: t("mail.auditBroken.action"), url: `${env.APP_URL}${PAGES.adminLogs}` },
    notes: [t("mail.auditBroken.note")],
  };
}

function webhookTexts(
  t: AppTranslator,
  { name, host, since }: WebhookFacts,
  named: { brand: string; locale: Locale },
): MailTexts {
  const webhook = oneLine(name);
  return {
    subject: t("mail.webhookDisabled.subject", { ...named, webhook }),
    title: t("mail.webhookDisabled.title", { webhook }),
    body: t("mail.webhookDisabled.body", { ...named, webhook }),
    facts: [
      t("mail.webhookDisabled.host", { host }),
      t("mail.webhookDisabled.since", { time: formatTime(new Date(since), named.locale) }),
    ],
    action: { label: t("mail.webhookDisabled.action"), url: `${env.APP_URL}${PAGES.adminWebhooks}` },
    notes: [t("mail.webhookDisabled.note")],
  };
}

function leavingTexts(
  t: AppTranslator,
  { appId, environmentId, count, releases, ...place }: LeavingFacts,
  named: { brand: string },
): MailTexts {
  const where = { app: oneLine(place.app), environment: oneLine(place.environment) };
  const more = count - releases.length;
  const lines = releases.map(oneLine);
  return {
    subject: t("mail.releasesLeave.subject", { ...named, ...where, count }),
    title: t("mail.releasesLeave.title", { count }),
    body: t("mail.releasesLeave.body", { ...where, count }),
    facts: more > 0 ? [...lines, t("mail.releasesLeave.more", { more })] : lines,
    action: {
      label: t("mail.releasesLeave.action"),
      url: `${env.APP_URL}${contextPath(PAGES.manageReleases, appId, environmentId)}`,
    },
    notes: [t("mail.releasesLeave.note", { days: BIN_DAYS })],
  };
}

function feedbackTexts(
  t: AppTranslator,
  { app, environment, version, buildNumber, rating, path }: FeedbackFacts,
  named: { brand: string },
): MailTexts {
  const release = { app: oneLine(app), version: oneLine(version), build: oneLine(buildNumber) };
  return {
    subject: t("mail.feedback.subject", { ...named, ...release }),
    title: t("mail.feedback.title", release),
    body: t("mail.feedback.body", { ...release, environment: oneLine(environment) }),
    facts: rating === null ? [] : [t("mail.feedback.rating", { rating })],
    action: { label: t("mail.feedback.action"), url: `${env.APP_URL}${path}` },
    notes: [t("mail.feedback.note")],
  };
}

function testTexts(t: AppTranslator, named: { brand: string }): MailTexts {
  return {
    subject: t("mail.test.subject", named),
    title: t("mail.test.title"),
    body: t("mail.test.body", named),
    facts: [],
    action: { label: t("mail.test.action"), url: `${env.APP_URL}${PAGES.adminHealth}` },
    notes: [],
  };
}

function textsOf(
  t: AppTranslator,
  mail: MailFacts,
  named: { brand: string; email: string; locale: Locale },
): MailTexts {
  if ("url" in mail) return linkTexts(t, mail, named);
  if (mail.purpose === "expiring") return expiryTexts(t, mail, named);
  if (mail.purpose === "feedback") return feedbackTexts(t, mail, named);
  if (mail.purpose === "audit-broken") return auditTexts(t, mail, named);
  if (mail.purpose === "releases-leave") return leavingTexts(t, mail, named);
  if (mail.purpose === "test") return testTexts(t, named);
  if (mail.purpose === "webhook-disabled") return webhookTexts(t, mail, named);
  return noticeTexts(t, mail, named);
}

/**
 * Composes a mail in the given language.
 *
 * @param mail.brand the console's name
 */
export function composeMail(
  mail: MailFacts & { locale: Locale; brand: string; name: string; email: string },
): ComposedMail {
  const { locale, email } = mail;
  const t = translatorFor(locale);
  const brand = oneLine(mail.brand);
  const named = { brand, email, locale };
  const { subject, ...texts } = textsOf(t, mail, named);
  const content: MailContent = {
    ...texts,
    locale,
    brand,
    greeting: t("mail.greeting", { name: oneLine(mail.name) }),
    fallback: t("mail.fallback"),
    footer: t("mail.footer", { brand, host: new URL(env.APP_URL).host }),
  };
  return { subject, html: mailHtml(content), text: mailText(content) };
}
