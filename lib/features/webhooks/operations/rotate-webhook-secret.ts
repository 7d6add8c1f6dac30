import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { lockRow } from "@/lib/db/locks";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { DAY_MS } from "@/lib/kernel/time";
import { newWebhookSecret } from "@/lib/webhooks/signature";
import { sealedSecret, toWebhook, updateWebhook } from "../data";
import { webhookIdInput, webhookWithSecretSchema } from "../schema";

/** Replaces the secret of a webhook. For 24 hours, messages are signed with both. */
export const rotateWebhookSecret = defineCommand({
  area: "webhooks",
  name: "rotate-webhook-secret",
  summary: "Replace the secret of a webhook; the earlier one is valid for 24 hours",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: webhookIdInput,
  output: webhookWithSecretSchema,
  status: 200,
  errors: ["not_found"],
  audit: { table: "Webhook", action: "rotate-secret" },
  async handler({ input: { id }, tx, request }) {
    await lockRow(tx, "Webhook", id);
    const earlier = unseal(orNotFound(await sealedSecret(tx, id)), { table: "Webhook", id, column: "secret" });
    const secret = newWebhookSecret();
    const changed = await updateWebhook(tx, id, {
      secret: seal(secret, { table: "Webhook", id, column: "secret" }),
      previousSecret: seal(earlier, { table: "Webhook", id, column: "previousSecret" }),
      previousSecretUntil: new Date(request.now.getTime() + DAY_MS),
    });
    return {
      output: { ...toWebhook(changed), secret },
      audit: { recordId: id, changes: { secret: ["", ""] } },
    };
  },
});
