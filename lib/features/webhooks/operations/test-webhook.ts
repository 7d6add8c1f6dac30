import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { env } from "@/lib/kernel/env";
import { sampleEventData } from "@/lib/kernel/event-samples";
import { newId } from "@/lib/kernel/ids";
import { attemptDelivery } from "@/lib/webhooks/attempt";
import { loadReceiver, recordAttempt } from "@/lib/webhooks/deliver";
import { NO_APP } from "@/lib/webhooks/outbox";
import { createDelivery, findDelivery, findWebhook, toDelivery } from "../data";
import { deliverySchema, testWebhookInput } from "../schema";

/** Sends an example of an event to a webhook at once, also to one that is turned off, and answers what the receiver said. */
export const testWebhook = defineCommand({
  area: "webhooks",
  name: "test-webhook",
  summary: "Send an example of an event to a webhook",
  access: "admin",
  input: testWebhookInput,
  output: deliverySchema,
  status: 200,
  errors: ["not_found"],
  rateLimit: { points: 30, seconds: 60, by: "actor" },
  audit: { table: "Webhook", action: "test" },
  async prepare({ input, db, request }) {
    const webhook = orNotFound(await findWebhook(db, input.id));
    const receiver = orNotFound(await loadReceiver(db, input.id));
    const type = input.event ?? (webhook.events[0] as string);
    const event = { deliveryId: newId(), type, at: request.now, data: sampleEventData(type, env.APP_URL) };
    const attempt = await attemptDelivery(receiver, event, { now: () => new Date() });
    return { event, attempt };
  },
  async handler({ input, tx, prepared, request }) {
    const { event, attempt } = prepared;
    orNotFound(await findWebhook(tx, input.id));
    const { deliveryId: id, type, at, data } = event;
    await createDelivery(tx, {
      id,
      webhookId: input.id,
      lane: NO_APP,
      type,
      at,
      data,
      state: attempt.outcome === "accepted" ? "delivered" : "failed",
      test: true,
      tries: 1,
      nextAt: at,
      finishedAt: request.now,
    });
    await recordAttempt(tx, id, attempt);
    return {
      output: toDelivery(orNotFound(await findDelivery(tx, id))),
      audit: { recordId: input.id, changes: { event: [null, type], status: [null, attempt.status] } },
    };
  },
});
