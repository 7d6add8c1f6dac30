import type { PasswordLinkPurpose } from "@/lib/auth/password-links";
import { env } from "@/lib/kernel/env";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
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

/** A change in how somebody signs in, of which they are told. */
export type NoticePurpose = keyof typeof NOTICE_KEYS;
export const NOTICE_PURPOSES = Object.keys(NOTICE_KEYS) as NoticePurpose[];

/** A mail with a one-time link to a new password. */
export interface LinkFacts {
  purpose: PasswordLinkPurpose;
  url: string;
  /** How long the link works. */
  minutes: number;
}

/** A mail that tells of a change. */
export interface NoticeFacts {
  purpose: NoticePurpose;
  at: Date;
  /** Where it was done from, if that is known and theirs to know. */
  ip: string | null;
  /** How many recovery codes are left, where one was used. */
  codesLeft: number;
  /** Whether they sign in with a password, and can ask for another. */
  hasPassword: boolean;
}

/** A mail in words, before it is one for the wire. */
export interface ComposedMail {
  subject: string;
  html: string;
  text: string;
}

/** What differs from one mail to another. */
type Words = Pick<MailContent, "body" | "facts" | "action" | "notes"> & { subject: string; title: string };

const MINUTES_OF_A_DAY = 24 * 60;

/** A line of a mail's head: what was typed with line breaks in it becomes one line. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function linkWords(
  t: AppTranslator,
  { purpose, url, minutes }: LinkFacts,
  named: { brand: string; email: string },
): Words {
  const validity =
    purpose === "recovery"
      ? t("mail.recovery.validity", { minutes })
      : t("mail.invitation.validity", { days: minutes / MINUTES_OF_A_DAY });
  return {
    subject: t(`mail.${purpose}.subject`, named),
    title: t(`mail.${purpose}.title`, named),
    body: t(`mail.${purpose}.body`, named),
    facts: [],
    action: { label: t(`mail.${purpose}.action`), url },
    notes: [validity, t(`mail.${purpose}.otherwise`)],
  };
}

function noticeWords(
  t: AppTranslator,
  { purpose, at, ip, codesLeft, hasPassword }: NoticeFacts,
  named: { brand: string; email: string; locale: Locale },
): Words {
  const key = NOTICE_KEYS[purpose];
  const time = at.toLocaleString(named.locale, { dateStyle: "long", timeStyle: "long", timeZone: "UTC" });
  return {
    subject: t(`mail.${key}.subject`, named),
    title: t(`mail.${key}.title`),
    body: t(`mail.${key}.body`, { ...named, left: codesLeft }),
    facts: [t("mail.notice.time", { time }), ...(ip === null ? [] : [t("mail.notice.address", { ip })])],
    action: hasPassword
      ? { label: t("mail.notice.action"), url: `${env.APP_URL}/generate-password-recovery` }
      : { label: t("mail.notice.actionAccount"), url: `${env.APP_URL}/profile` },
    notes: [
      t(hasPassword ? "mail.notice.otherwise" : "mail.notice.otherwiseProvider"),
      ...(purpose === "passkey-added" ? [t("mail.passkeyAdded.more")] : []),
    ],
  };
}

/**
 * Puts a mail into words.
 *
 * @param mail.brand the console's name
 */
export function composeMail(
  mail: (LinkFacts | NoticeFacts) & { locale: Locale; brand: string; name: string; email: string },
): ComposedMail {
  const { locale, email } = mail;
  const t = translatorFor(locale);
  const brand = oneLine(mail.brand);
  const named = { brand, email, locale };
  const { subject, ...words } = "url" in mail ? linkWords(t, mail, named) : noticeWords(t, mail, named);
  const content: MailContent = {
    ...words,
    locale,
    brand,
    greeting: t("mail.greeting", { name: oneLine(mail.name) }),
    fallback: t("mail.fallback"),
    footer: t("mail.footer", { brand, host: new URL(env.APP_URL).host }),
  };
  return { subject, html: mailHtml(content), text: mailText(content) };
}
