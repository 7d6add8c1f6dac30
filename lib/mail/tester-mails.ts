import { androidName, type InstallerKind, refusedFrom } from "@slipway/installers";
import { env } from "@/lib/kernel/env";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import { type ComposedMail, oneLine } from "./compose";
import { type MailContent, mailHtml, mailText } from "./layout";
import { mailNotes } from "./notes";

/** Versions that a mail names; it says how many more there are. */
export const MAX_NAMED_RELEASES = 20;

/** Characters of the release notes in a mail. The page has the rest. */
const MAX_NOTES = 1_200;

/** Whom a mail is to, and in which language. */
export interface TesterFacts {
  locale: Locale;
  /** The console's name. */
  brand: string;
  email: string;
  /** Of a user; null for somebody without an account. */
  name: string | null;
}

/** A release as a mail names it. */
export interface MailedRelease {
  displayName: string;
  version: string;
  buildNumber: string;
  /** Markdown. */
  description: string;
  /** The same as HTML, as it is stored; without it, `description` is sent as it was written. */
  notesHtml?: string | null;
  installerKind: InstallerKind;
  /** The lowest iOS version or Android API level. */
  minOs: string | null;
  /** The API level that an Android app was made for. */
  targetSdk?: number | null;
}

function greetingOf(t: AppTranslator, { name }: TesterFacts): string {
  return name === null ? t("mail.plainGreeting") : t("mail.greeting", { name: oneLine(name) });
}

function composed(subject: string, content: MailContent): ComposedMail {
  return { subject: oneLine(subject), html: mailHtml(content), text: mailText(content) };
}

/**
 * Asks somebody without an account whether they want to be told of releases.
 * @param facts.by the name of the person who asks; null if it is not known
 */
export function composeTesterInvitation(
  facts: TesterFacts & { by: string | null; apps: readonly string[]; url: string },
): ComposedMail {
  const { locale, email, url, by } = facts;
  const t = translatorFor(locale);
  const brand = oneLine(facts.brand);
  const apps = new Intl.ListFormat(locale).format(facts.apps.map(oneLine));
  return composed(t("mail.testerInvitation.subject", { apps }), {
    locale,
    brand,
    title: t("mail.testerInvitation.title", { apps }),
    greeting: greetingOf(t, facts),
    body:
      by === null
        ? t("mail.testerInvitation.body", { apps, brand, email })
        : t("mail.testerInvitation.bodyBy", { apps, brand, email, by: oneLine(by) }),
    facts: [],
    action: { label: t("mail.testerInvitation.action"), url },
    notes: [t("mail.testerInvitation.note")],
    fallback: t("mail.fallback"),
    footer: t("mail.testerInvitation.footer", { brand, host: new URL(env.APP_URL).host }),
  });
}

function shortened(notes: string): string {
  const text = notes.replace(/\r\n?/g, "\n").trim();
  return text.length > MAX_NOTES ? `${text.slice(0, MAX_NOTES)}…` : text;
}

/** The notes under their heading, unless they begin with one of their own; undefined without notes. */
function notesOf({ description, notesHtml }: MailedRelease, t: AppTranslator): MailContent["quote"] {
  if (description.trim() === "") return undefined;
  const heading = t("mail.release.changes");
  if (!notesHtml) return { heading, text: shortened(description) };
  const { html, text, hasHeading } = mailNotes(notesHtml, MAX_NOTES);
  return { heading: hasHeading ? null : heading, text, html };
}

function nameOf({ displayName, version, buildNumber }: MailedRelease, t: AppTranslator): string {
  return oneLine(t("mail.release.title", { name: displayName, version, build: buildNumber }));
}

/** The system that a release needs, such as `iOS 16.0`; null if it does not say. */
function systemOf({ installerKind, minOs }: MailedRelease): string | null {
  if (minOs === null || installerKind === "ipa") return minOs && `iOS ${minOs}`;
  return androidName(minOs);
}

/** On which devices a release installs, as far as it says; null if it does not. */
function deviceOf(release: MailedRelease, t: AppTranslator): string | null {
  const system = systemOf(release);
  if (system === null) return null;
  const { installerKind, minOs, targetSdk } = release;
  const refusing = installerKind === "ipa" ? null : refusedFrom(targetSdk ?? Number(minOs));
  return refusing === null
    ? t("mail.release.device", { system: oneLine(system) })
    : t("mail.release.deviceUntil", { system: oneLine(system), refusing: androidName(refusing) });
}

/**
 * Tells of releases of an application: of one with its notes, of several by their names.
 * @param facts.releases the latest one first; not empty
 * @param facts.count how many there are, of which `releases` are named
 * @param facts.icon the content ID of the icon
 */
export function composeReleaseMail(
  facts: TesterFacts & {
    app: string;
    releases: readonly MailedRelease[];
    count: number;
    url: string;
    stopUrl: string;
    icon?: string | undefined;
  },
): ComposedMail {
  const { locale, releases, count, url, stopUrl, icon } = facts;
  const t = translatorFor(locale);
  const [brand, app] = [oneLine(facts.brand), oneLine(facts.app)];
  const [first] = releases;
  const same = {
    locale,
    brand,
    greeting: greetingOf(t, facts),
    icon,
    notes: [],
    fallback: t("mail.fallback"),
    footer: t("mail.release.footer", { brand, app, host: new URL(env.APP_URL).host }),
    stop: { label: t("mail.release.stop"), url: stopUrl },
  };
  if (count === 1 && first) {
    const { version, buildNumber: build } = first;
    const device = deviceOf(first, t);
    return composed(t("mail.release.subject", { app, version, build }), {
      ...same,
      title: nameOf(first, t),
      body: t("mail.release.body", { app, version: oneLine(version), build: oneLine(build) }),
      facts: device ? [device] : [],
      quote: notesOf(first, t),
      action: { label: t("mail.release.action"), url },
    });
  }
  const more = count - releases.length;
  const subject = t("mail.releases.subject", { app, count });
  return composed(subject, {
    ...same,
    title: subject,
    body: t("mail.releases.body", { app, count }),
    facts: [...releases.map((release) => nameOf(release, t)), ...(more > 0 ? [t("mail.releases.more", { more })] : [])],
    action: { label: t("mail.releases.action"), url },
  });
}
