import "server-only";
import type { Locale } from "@/lib/kernel/i18n/locales";
import type { WebhookFormat } from "@/lib/kernel/webhook-formats";
import { type EventSummary, summaryOf } from "./summary";

/** An event as it is delivered. */
export interface DeliveredEvent {
  type: string;
  at: Date;
  data: unknown;
}

/** A character that no product interprets, put after one that would mention somebody. */
const WORD_JOINER = "\u2060";

/** Slack's escapes; `<!channel>` and links are written in angle brackets. */
const slackText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Escapes the characters of Markdown, and takes their meaning from mentions. */
const markdownText = (text: string) =>
  text.replace(/[\\`*_{}[\]()#+!|~<>-]/g, "\\$&").replaceAll("@", `@${WORD_JOINER}`);

/** Google Chat's cards take a few HTML tags. */
const htmlText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", "<br>");

/** Slack: Block Kit. `text` is for notifications. */
function slack({ title, text, link }: EventSummary) {
  // Otherwise, Slack makes mentions and links of what somebody wrote.
  const section = (content: string) => ({ type: "section", text: { type: "mrkdwn", text: content, verbatim: true } });
  const button = link && { type: "button", text: { type: "plain_text", text: link.label }, url: link.url };
  return {
    text: slackText(title),
    blocks: [
      section(`*${slackText(title)}*`),
      ...(text ? [section(slackText(text))] : []),
      ...(button ? [{ type: "actions", elements: [button] }] : []),
    ],
  };
}

/** Microsoft Teams: an Adaptive Card, as the workflow "Post to a channel when a webhook request is received" takes it. */
function teams({ title, text, link }: EventSummary) {
  const block = (content: string, more: object) => ({
    type: "TextBlock",
    text: markdownText(content),
    wrap: true,
    ...more,
  });
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [block(title, { weight: "Bolder", size: "Medium" }), ...(text ? [block(text, {})] : [])],
          actions: link ? [{ type: "Action.OpenUrl", title: link.label, url: link.url }] : [],
        },
      },
    ],
  };
}

/** Discord: an embed, which mentions nobody. */
function discord({ title, text, link }: EventSummary, at: Date) {
  const embed = {
    title: title.slice(0, 256).toWellFormed(),
    ...(text && { description: markdownText(text) }),
    ...(link && { url: link.url }),
    timestamp: at.toISOString(),
  };
  return { embeds: [embed], allowed_mentions: { parse: [] } };
}

/** Google Chat: a card. */
function googleChat({ title, text, link }: EventSummary) {
  const paragraph = (content: string) => ({ textParagraph: { text: content } });
  const button = link && { text: link.label, onClick: { openLink: { url: link.url } } };
  const widgets = [
    paragraph(`<b>${htmlText(title)}</b>`),
    ...(text ? [paragraph(htmlText(text))] : []),
    ...(button ? [{ buttonList: { buttons: [button] } }] : []),
  ];
  return { cardsV2: [{ cardId: "event", card: { sections: [{ widgets }] } }] };
}

/** Mattermost: an attachment. */
function mattermost({ title, text, link }: EventSummary) {
  return {
    attachments: [
      {
        fallback: title,
        title: markdownText(title),
        ...(link && { title_link: link.url }),
        text: markdownText(text),
      },
    ],
  };
}

function payload(format: WebhookFormat, event: DeliveredEvent, locale: Locale): object {
  const { type, at, data } = event;
  if (format === "standard") return { type, timestamp: at.toISOString(), data };
  const summary = summaryOf(event, locale);
  if (format === "slack") return slack(summary);
  if (format === "teams") return teams(summary);
  if (format === "discord") return discord(summary, at);
  return format === "google-chat" ? googleChat(summary) : mattermost(summary);
}

/** The body of a request that delivers an event: JSON. */
export function bodyOf(format: WebhookFormat, event: DeliveredEvent, locale: Locale): string {
  return JSON.stringify(payload(format, event, locale));
}
