import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { requestDeliveries } from "@/lib/jobs/webhooks";
import { ApiError } from "@/lib/kernel/errors";
import { findDelivery, repeatDelivery, toDelivery } from "../data";
import { deliverySchema, webhookIdInput } from "../schema";

/** Makes a finished delivery once more, with the same ID, after the deliveries that wait. */
export const redeliverWebhook = defineCommand({
  area: "webhooks",
  name: "redeliver-webhook",
  summary: "Repeat a delivery, with the same ID; `id` is the delivery’s",
  access: "admin",
  input: webhookIdInput,
  output: deliverySchema,
  status: 202,
  errors: ["not_found", "conflict"],
  audit: { table: "WebhookDelivery", action: "redeliver" },
  async handler({ input: { id }, tx, request, after }) {
    orNotFound(await findDelivery(tx, id));
    if (!(await repeatDelivery(tx, id, request.now))) throw new ApiError("conflict", { detailKey: "detailPending" });
    const delivery = toDelivery(orNotFound(await findDelivery(tx, id)));
    after(requestDeliveries);
    return {
      output: delivery,
      audit: { recordId: id, changes: { webhookId: [null, delivery.webhookId], type: [null, delivery.type] } },
    };
  },
});
