import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { findWebhook, listDeliveries, toDelivery } from "../data";
import { getWebhookDeliveriesInput, webhookDeliveriesOutput } from "../schema";

/** The deliveries of a webhook, newest first, with each try. */
export const getWebhookDeliveries = defineQuery({
  area: "webhooks",
  name: "get-webhook-deliveries",
  summary: "List the deliveries of a webhook",
  access: "admin",
  input: getWebhookDeliveriesInput,
  output: webhookDeliveriesOutput,
  errors: ["not_found"],
  async handler({ input, db }) {
    orNotFound(await findWebhook(db, input.webhookId));
    const { rows, nextCursor, total } = await listDeliveries(db, input);
    return { items: rows.map(toDelivery), nextCursor, total };
  },
});
