import "server-only";
import type { Expiring, KeyedExpiring } from "@/lib/expiry/expiring";
import { env } from "@/lib/kernel/env";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import { PAGES, releasePath } from "@/lib/kernel/navigation/pages";
import { DAY_MS } from "@/lib/kernel/time";

/** The longest line in bytes, without its end (RFC 5545, section 3.1). */
const MAX_LINE_BYTES = 75;

/** Characters that a text does not have (RFC 5545, section 3.3.11). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the ones to remove
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** When the two reminders of an event come: at nine in the morning, 7 days and 1 day before. Events begin at midnight. */
const REMINDERS = ["-P6DT15H", "-PT15H"];

/** How often a calendar is to be read again. */
const REFRESH = "PT12H";

/** A value of type TEXT. */
function textValue(text: string): string {
  const lines = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(CONTROLS, "");
  return lines.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");
}

/** Folds a line, and never within a character. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) {
      parts.push(part);
      // The space at the beginning of a line that goes on counts.
      [part, bytes] = [" ", 1];
    }
    part += character;
    bytes += size;
  }
  return [...parts, part].join("\r\n");
}

const dateValue = (date: Date) => date.toISOString().slice(0, 10).replaceAll("-", "");
const timeValue = (time: Date) => time.toISOString().replace(/[-:]|\.\d{3}/g, "");

function descriptionOf(t: AppTranslator, { app, environment, release, takesDown, endsAt }: Expiring): string {
  const { releases, testers, pipelines } = takesDown;
  const stopped = [
    ...(releases > 0 ? [t("expiry.releases", { count: releases })] : []),
    ...(testers > 0 ? [t("expiry.testers", { count: testers })] : []),
    ...(pipelines > 0 ? [t("expiry.pipelines", { count: pipelines })] : []),
  ];
  const build = release && `${release.platform} ${release.version} (${release.buildNumber})`;
  return [
    [app?.name, environment?.name, build].filter(Boolean).join(" · "),
    `${t("expiry.ends")}: ${endsAt.slice(0, 16).replace("T", " ")}`,
    ...(stopped.length > 0 ? [`${t("expiry.takesDown")}: ${stopped.join(", ")}`] : []),
  ]
    .filter(Boolean)
    .join("\n");
}

function eventLines(t: AppTranslator, item: KeyedExpiring, { host, now }: { host: string; now: Date }): string[] {
  const day = new Date(item.endsAt);
  const summary = t("calendar.event", { name: item.name, kind: t(`expiry.kinds.${item.kind}`) });
  return [
    "BEGIN:VEVENT",
    `UID:${item.key.replaceAll(":", "-")}@${host}`,
    `DTSTAMP:${timeValue(now)}`,
    `DTSTART;VALUE=DATE:${dateValue(day)}`,
    `DTEND;VALUE=DATE:${dateValue(new Date(day.getTime() + DAY_MS))}`,
    `SUMMARY:${textValue(summary)}`,
    `DESCRIPTION:${textValue(descriptionOf(t, item))}`,
    `URL:${env.APP_URL}${item.release ? releasePath(item.release.id) : PAGES.expiry}`,
    "TRANSP:TRANSPARENT",
    ...REMINDERS.flatMap((trigger) => [
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      `DESCRIPTION:${textValue(summary)}`,
      `TRIGGER:${trigger}`,
      "END:VALARM",
    ]),
    "END:VEVENT",
  ];
}

/**
 * What ends as a calendar (RFC 5545): an event of a whole day in UTC for each item.
 * @param of.console the name of the console
 */
export function expiryCalendar(
  items: readonly KeyedExpiring[],
  { locale, console, now }: { locale: Locale; console: string; now: Date },
): string {
  const t = translatorFor(locale);
  const { host } = new URL(env.APP_URL);
  const name = textValue(`${console}: ${t("expiry.title")}`);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Slipway//Expiration dates//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...items.flatMap((item) => eventLines(t, item, { host, now })),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}
