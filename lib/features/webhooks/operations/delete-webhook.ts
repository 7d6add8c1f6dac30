import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween, lockAuditChain } from "@/lib/audit/write";
import { auditFacts, deleteWebhook as remove, toWebhook } from "../data";
import { webhookIdInput } from "../schema";

/** Deletes a webhook with the events that wait for it and the log of its deliveries. */
export const deleteWebhook = defineCommand({
  area: "webhooks",
  name: "delete-webhook",
  summary: "Delete a webhook and its deliveries",
  access: "admin",
  input: webhookIdInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found"],
  audit: { table: "Webhook", action: "delete" },
  async handler({ input, tx }) {
    // Changes refer to the webhook while they hold this lock.
    await lockAuditChain(tx);
    const deleted = toWebhook(orNotFound(await remove(tx, input.id)));
    return {
      output: undefined,
      audit: { recordId: input.id, changes: changesBetween(auditFacts(deleted), null) },
    };
  },
});
