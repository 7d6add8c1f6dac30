import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { env } from "@/lib/kernel/env";
import { sampleEventData } from "@/lib/kernel/event-samples";
import { bodyOf } from "@/lib/webhooks/body";
import { previewWebhookInput, webhookPreviewSchema } from "../schema";

/** The body that an example of an event has in a format. Sends nothing. */
export const previewWebhook = defineQuery({
  area: "webhooks",
  name: "preview-webhook",
  summary: "Show the body of a request to a webhook, with an example of an event",
  access: "admin",
  input: previewWebhookInput,
  output: webhookPreviewSchema,
  errors: [],
  async handler({ input, request }) {
    const { format, event, locale = request.locale } = input;
    const example = { type: event, at: request.now, data: sampleEventData(event, env.APP_URL) };
    return { contentType: "application/json", body: bodyOf(format, example, locale) };
  },
});
