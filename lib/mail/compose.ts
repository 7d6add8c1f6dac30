import { env } from "@/lib/env";
import type { Locale } from "@/lib/i18n/locales";
import { translatorFor } from "@/lib/i18n/translator";
import { type MailContent, mailHtml, mailText } from "./layout";

/** What a mail is for. */
export type MailPurpose = "recovery" | "invitation" | "password-changed";

/** A mail in words, before it is one for the wire. */
export interface ComposedMail {
  subject: string;
  html: string;
  text: string;
}

const MINUTES_OF_A_DAY = 24 * 60;

const KEYS = {
  recovery: "recovery",
  invitation: "invitation",
  "password-changed": "passwordChanged",
} as const satisfies Record<MailPurpose, string>;

/** A line of a mail's head: what was typed with line breaks in it becomes one line. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/**
 * Puts a mail into words.
 *
 * @param mail.brand the console's name
 * @param mail.url where its button leads
 * @param mail.minutes how long the link works; 0 where it is no one-time link
 */
export function composeMail(mail: {
  purpose: MailPurpose;
  locale: Locale;
  brand: string;
  name: string;
  email: string;
  url: string;
  minutes: number;
}): ComposedMail {
  const { purpose, locale, email, url, minutes } = mail;
  const t = translatorFor(locale);
  const brand = oneLine(mail.brand);
  const key = KEYS[purpose];
  const validity =
    key === "recovery"
      ? [t("mail.recovery.validity", { minutes })]
      : key === "invitation"
        ? [t("mail.invitation.validity", { days: minutes / MINUTES_OF_A_DAY })]
        : [];
  const content: MailContent = {
    locale,
    brand,
    title: t(`mail.${key}.title`, { brand }),
    greeting: t("mail.greeting", { name: oneLine(mail.name) }),
    body: t(`mail.${key}.body`, { email }),
    action: { label: t(`mail.${key}.action`), url },
    notes: [...validity, t(`mail.${key}.otherwise`)],
    fallback: t("mail.fallback"),
    footer: t("mail.footer", { brand, host: new URL(env.APP_URL).host }),
  };
  return { subject: t(`mail.${key}.subject`, { brand }), html: mailHtml(content), text: mailText(content) };
}
