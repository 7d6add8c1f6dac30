import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { seal } from "@/lib/kernel/crypto/sealed";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { newWebhookSecret } from "@/lib/webhooks/signature";
import { auditFacts, countWebhooks, createWebhook as insert, requireApps, toWebhook, webhookColumns } from "../data";
import { requireAddress } from "../internal/address";
import { createWebhookInput, MAX_WEBHOOKS, webhookWithSecretSchema } from "../schema";

/** Adds a webhook and returns its secret, only once. */
export const createWebhook = defineCommand({
  area: "webhooks",
  name: "create-webhook",
  summary: "Add a webhook; its secret is returned only this once",
  access: "admin",
  maxJsonBytes: 256 * 1024,
  secondFactor: "recentIfEnrolled",
  input: createWebhookInput,
  output: webhookWithSecretSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "Webhook", action: "create" },
  async handler({ input, tx, request }) {
    requireAddress(input.url);
    await requireApps(tx, input.appIds);
    if ((await countWebhooks(tx)) >= MAX_WEBHOOKS) {
      throw new ApiError("conflict", { detailKey: "detailTooManyWebhooks", params: { limit: MAX_WEBHOOKS } });
    }
    const id = newId();
    const secret = newWebhookSecret();
    const { name, url, events, appIds = null, format, locale = request.locale } = input;
    const facts = webhookColumns({ appIds, format });
    const created = toWebhook(
      await insert(tx, {
        id,
        name,
        url,
        events,
        locale,
        allApps: facts.allApps ?? true,
        appIds: facts.appIds ?? [],
        format: facts.format ?? "standard",
        secret: seal(secret, { table: "Webhook", id, column: "secret" }),
        createdAt: request.now,
        updatedAt: request.now,
      }),
    );
    return {
      output: { ...created, secret },
      audit: { recordId: id, changes: changesBetween(null, auditFacts(created)) },
    };
  },
});
