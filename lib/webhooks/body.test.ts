import { describe, expect, it } from "vitest";
import { sampleEventData } from "@/lib/kernel/event-samples";
import { auditEventData, EVENT_DATA, EVENT_TYPES } from "@/lib/kernel/events";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { WEBHOOK_FORMATS } from "@/lib/kernel/webhook-formats";
import { bodyOf } from "./body";

const ORIGIN = "https://slipway.example";
const TYPES = [...EVENT_TYPES, "audit.create"];
const at = new Date("2026-11-24T10:00:00Z");
const event = (type: string, data: object = sampleEventData(type, ORIGIN)) => ({ type, at, data });
const body = (format: (typeof WEBHOOK_FORMATS)[number], data?: object) =>
  JSON.parse(bodyOf(format, event("release.published", data), "en"));

const TITLE = "Shop · Staging: version 2.4.0 (240) was published";
const TEXT = "Faster checkout.";
const URL = `${ORIGIN}/releases?id=019a0000-0000-7000-8000-000000000004`;

it.each(TYPES)("the example of %s fits its schema, and has words in each language and format", (type) => {
  const data = sampleEventData(type, ORIGIN);
  const schema = type in EVENT_DATA ? EVENT_DATA[type as keyof typeof EVENT_DATA] : auditEventData;
  expect(schema.parse(data)).toEqual(data);
  for (const format of WEBHOOK_FORMATS) {
    for (const locale of LOCALES) {
      const text = bodyOf(format, event(type), locale);
      expect(text).not.toMatch(/webhooks\.chat|undefined/);
      expect(() => JSON.parse(text)).not.toThrow();
    }
  }
});

describe("the body of a release that was published", () => {
  it("is the event for services", () => {
    const data = sampleEventData("release.published", ORIGIN);
    expect(body("standard")).toEqual({ type: "release.published", timestamp: "2026-11-24T10:00:00.000Z", data });
  });

  it("is blocks for Slack", () => {
    expect(body("slack")).toEqual({
      text: TITLE,
      blocks: [
        { type: "section", text: { type: "mrkdwn", text: `*${TITLE}*`, verbatim: true } },
        { type: "section", text: { type: "mrkdwn", text: TEXT, verbatim: true } },
        {
          type: "actions",
          elements: [{ type: "button", text: { type: "plain_text", text: "Open in Slipway" }, url: URL }],
        },
      ],
    });
  });

  it("is an Adaptive Card for Microsoft Teams", () => {
    const { type, attachments } = body("teams");
    expect([type, attachments.length, attachments[0].contentType]).toEqual([
      "message",
      1,
      "application/vnd.microsoft.card.adaptive",
    ]);
    const { content } = attachments[0];
    expect(content).toMatchObject({
      type: "AdaptiveCard",
      version: "1.4",
      body: [{ type: "TextBlock", wrap: true }, {}],
    });
    expect(content.actions).toEqual([{ type: "Action.OpenUrl", title: "Open in Slipway", url: URL }]);
  });

  it("is an embed for Discord, which mentions nobody", () => {
    expect(body("discord")).toEqual({
      embeds: [{ title: TITLE, description: TEXT, url: URL, timestamp: "2026-11-24T10:00:00.000Z" }],
      allowed_mentions: { parse: [] },
    });
  });

  it("is a card for Google Chat", () => {
    expect(body("google-chat").cardsV2).toEqual([
      {
        cardId: "event",
        card: {
          sections: [
            {
              widgets: [
                { textParagraph: { text: `<b>${TITLE}</b>` } },
                { textParagraph: { text: TEXT } },
                { buttonList: { buttons: [{ text: "Open in Slipway", onClick: { openLink: { url: URL } } }] } },
              ],
            },
          ],
        },
      },
    ]);
  });

  it("is an attachment for Mattermost", () => {
    expect(body("mattermost")).toMatchObject({ attachments: [{ fallback: TITLE, title_link: URL, text: TEXT }] });
  });
});

it.each(["slack", "teams", "discord", "google-chat", "mattermost"] as const)(
  "what somebody wrote mentions nobody in %s",
  (format) => {
    const description = "<!channel> @channel @here @everyone <users/all> <at>all</at> [x](https://evil.example)";
    const text = JSON.stringify(body(format, { ...sampleEventData("release.published", ORIGIN), description }));
    // Slack's and Google Chat's mentions are in angle brackets.
    expect(text).not.toMatch(/<!channel>|<users\/all>|<at>/);
    if (format === "slack") expect(text.match(/"mrkdwn"/g)).toHaveLength(text.match(/"verbatim":true/g)?.length ?? 0);
    // Those of the others begin with @; Discord is told to parse none.
    if (format === "mattermost" || format === "teams") expect(text).not.toMatch(/@(channel|here|everyone)/);
    if (format !== "slack" && format !== "google-chat") expect(text).not.toContain("](https://evil.example)");
  },
);

it("a long text is shortened for chats", () => {
  const description = "x".repeat(5_000);
  const { blocks } = body("slack", { ...sampleEventData("release.published", ORIGIN), description });
  expect(blocks[1].text.text).toBe(`${"x".repeat(500)}…`);
});

it("a text that ends within an emoji remains text", () => {
  const description = `x${"😀".repeat(400)}`;
  const text = bodyOf(
    "discord",
    event("release.published", { ...sampleEventData("release.published", ORIGIN), description }),
    "en",
  );
  expect(JSON.parse(text).embeds[0].description).toBe(`x${"😀".repeat(249)}\ufffd…`);
});

describe("the longest names and texts", () => {
  const long = { id: "019a0000-0000-7000-8000-000000000002", name: "&".repeat(100) };
  const sample = sampleEventData("release.published", ORIGIN) as { release: object };
  const release = { ...sample.release, version: "*".repeat(100), buildNumber: "_".repeat(100) };
  const data = { ...sample, app: long, environment: long, release, description: "&*".repeat(2_500) };

  it.each(["slack", "teams", "discord", "google-chat", "mattermost"] as const)("fit the limits of %s", (format) => {
    for (const locale of LOCALES) {
      const text = bodyOf(format, event("release.published", data), locale);
      // Teams takes 28 KB, Google Chat 32,000 bytes, Mattermost 16,383 characters.
      expect(Buffer.byteLength(text)).toBeLessThan(16_000);
      const { blocks = [], embeds = [] } = JSON.parse(text);
      for (const { text: section } of blocks) expect(section?.text.length ?? 0).toBeLessThanOrEqual(3_000);
      for (const { title, description } of embeds) {
        expect(title.length).toBeLessThanOrEqual(256);
        expect(description.length).toBeLessThanOrEqual(4_096);
      }
    }
  });
});
