import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { requestDeliveries } from "@/lib/jobs/webhooks";
import {
  auditFacts,
  deliverWaiting,
  findWebhook,
  requireApps,
  toWebhook,
  webhookColumns,
  updateWebhook as write,
} from "../data";
import { requireAddress } from "../internal/address";
import { updateWebhookInput, webhookSchema } from "../schema";

/** Changes a webhook. One that is turned on again gets the events that waited for it. */
export const updateWebhook = defineCommand({
  area: "webhooks",
  name: "update-webhook",
  summary: "Change a webhook, or turn it on or off",
  access: "admin",
  maxJsonBytes: 256 * 1024,
  secondFactor: "recentIfEnrolled",
  input: updateWebhookInput,
  output: webhookSchema,
  status: 200,
  errors: ["not_found", "conflict"],
  audit: { table: "Webhook", action: "update" },
  async handler({ input, tx, request, after }) {
    const { id, ifUpdatedAt, status, ...chosen } = input;
    await lockRow(tx, "Webhook", id);
    const row = orNotFound(await findWebhook(tx, id));
    requireUnchanged(row, ifUpdatedAt);
    const before = toWebhook(row);
    requireAddress(chosen.url);
    await requireApps(tx, chosen.appIds);
    const isTurnedOn = status === "active" && before.status !== "active";
    const changed = toWebhook(
      await write(tx, id, {
        ...webhookColumns(chosen),
        ...(status && { status }),
        ...(isTurnedOn && { failingSince: null, disabledAt: null }),
      }),
    );
    if (isTurnedOn) {
      await deliverWaiting(tx, id, request.now);
      after(requestDeliveries);
    }
    return {
      output: changed,
      audit: { recordId: id, changes: changesBetween(auditFacts(before), auditFacts(changed)) },
    };
  },
});
