import "server-only";
import type { z } from "zod";
import { AUDIT_PREFIX, type auditEventData, type ConsoleEvent, type EventData } from "@/lib/kernel/events";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";

/** An event in words, for people in a chat. */
export interface EventSummary {
  title: string;
  /** What somebody wrote, such as the description of a release; empty if there is nothing. */
  text: string;
  /** The page about it, with the label of the button that opens it. */
  link: { url: string; label: string } | null;
}

/** Characters of a text that a chat shows. */
const MAX_TEXT = 500;

type OfRelease = Pick<EventData<"release.deleted">, "app" | "environment" | "release">;

function place({ app, environment, release }: OfRelease) {
  const { version, buildNumber: build } = release;
  return { app: app.name, environment: environment.name, version, build };
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed().trimEnd()}…` : text;
}

/** The title of an event, and the text that belongs to it. */
function words(t: AppTranslator, event: ConsoleEvent): { title: string; text?: string } {
  const { type, data } = event;
  switch (type) {
    case "release.published":
      return { title: t("webhooks.chat.releasePublished", place(data)), text: data.description };
    case "release.deleted":
      return { title: t("webhooks.chat.releaseDeleted", place(data)) };
    case "release.distributed":
      return { title: t("webhooks.chat.releaseDistributed", { ...place(data), count: data.recipients }) };
    case "release.download-started":
    case "release.installed":
      return { title: t("webhooks.chat.releaseDownloadStarted", place(data)) };
    case "rule.violated": {
      const { app, environment, build, outcome, rules } = data;
      const named = { app: app.name, environment: environment.name, version: build.version, build: build.buildNumber };
      const found = rules.map(({ rule, params }) => t(`validation.ruleFound.${rule}`, params as never));
      return { title: t("webhooks.chat.ruleViolated", { ...named, outcome }), text: found.join("\n") };
    }
    case "device.enrolled": {
      const { name, modelName } = data.device;
      const device = modelName === null || modelName === name ? name : `${name} (${modelName})`;
      return { title: t("webhooks.chat.deviceEnrolled", { device, email: data.user.email }) };
    }
    case "feedback.created":
      return { title: t("webhooks.chat.feedbackCreated", place(data)), text: data.feedback.text };
    case "certificate.expiring": {
      const { app, environment, certificate, days } = data;
      const named = { app: app.name, environment: environment.name, name: certificate.name, days };
      return { title: t("webhooks.chat.certificateExpiring", named) };
    }
    case "token.expiring": {
      const { app, environment, token, days } = data;
      const named = { app: app.name, environment: environment.name, name: token.name, days };
      return { title: t("webhooks.chat.tokenExpiring", named) };
    }
    case "user.invited":
      return { title: t("webhooks.chat.userInvited", { email: data.user.email, role: data.role.name }) };
  }
}

/**
 * Puts an event into words.
 * @param event its data as the schemas of its type parse them
 */
export function summaryOf(event: { type: string; data: unknown }, locale: Locale): EventSummary {
  const t = translatorFor(locale);
  if (event.type.startsWith(AUDIT_PREFIX)) {
    const { action, table, recordId } = event.data as z.output<typeof auditEventData>;
    return { title: t("webhooks.chat.audit", { action, table }), text: recordId ?? "", link: null };
  }
  const emitted = event as ConsoleEvent;
  const { title, text = "" } = words(t, emitted);
  const url = "url" in emitted.data ? emitted.data.url : null;
  return { title, text: shortened(text), link: url === null ? null : { url, label: t("webhooks.chat.open") } };
}
