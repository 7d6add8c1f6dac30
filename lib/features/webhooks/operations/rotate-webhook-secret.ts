import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { lockRow } from "@/lib/db/locks";
import { consume } from "@/lib/http/rate-limit";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { DAY_MS } from "@/lib/kernel/time";
import { sealPreviousSecrets, validPreviousSecrets } from "@/lib/webhooks/secrets";
import { newWebhookSecret } from "@/lib/webhooks/signature";
import { sealedSecrets, toWebhook, updateWebhook } from "../data";
import { webhookIdInput, webhookWithSecretSchema } from "../schema";

/** Replacements of a webhook's secret: each adds a signature to the messages of a day. */
const ROTATIONS = { points: 8, seconds: DAY_MS / 1000 };

/** Replaces the secret of a webhook. For 24 hours, messages are signed with the earlier one too. */
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
    const row = orNotFound(await sealedSecrets(tx, id));
    await consume({ name: "webhook-secrets", limit: ROTATIONS, key: id }, tx);
    const earlier = unseal(row.secret, { table: "Webhook", id, column: "secret" }).toString();
    const until = new Date(request.now.getTime() + DAY_MS);
    const previous = [{ secret: earlier, until }, ...validPreviousSecrets(row, request.now)];
    const secret = newWebhookSecret();
    const changed = await updateWebhook(tx, id, {
      secret: seal(secret, { table: "Webhook", id, column: "secret" }),
      previousSecret: sealPreviousSecrets(id, previous),
      previousSecretUntil: until,
    });
    return {
      output: { ...toWebhook(changed), secret },
      audit: { recordId: id, changes: { secret: ["", ""] } },
    };
  },
});
