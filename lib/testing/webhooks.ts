import { db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { seal } from "@/lib/kernel/crypto/sealed";
import { sampleEventData } from "@/lib/kernel/event-samples";
import { newId } from "@/lib/kernel/ids";
import { NO_APP } from "@/lib/webhooks/outbox";

/** The secret of the webhooks of `aWebhook`. */
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Adds a webhook that receives these events. @returns its ID */
export async function aWebhook(
  events: readonly string[],
  facts: Partial<Prisma.WebhookUncheckedCreateInput> = {},
): Promise<string> {
  const id = newId();
  await db.webhook.create({
    data: {
      id,
      name: "A receiver",
      // A private address, to which nothing is sent.
      url: "https://10.0.0.1/hooks",
      events: [...events],
      allApps: true,
      appIds: [],
      format: "standard",
      locale: "en",
      secret: seal(WEBHOOK_SECRET, { table: "Webhook", id, column: "secret" }),
      ...facts,
    },
  });
  return id;
}

/** Adds a delivery of an example of an event. @returns its ID */
export async function aDelivery(
  webhookId: string,
  facts: Partial<Prisma.WebhookDeliveryUncheckedCreateInput> = {},
): Promise<string> {
  const at = new Date();
  const type = facts.type ?? "release.published";
  const data = sampleEventData(type, "https://slipway.example");
  const { id } = await db.webhookDelivery.create({
    data: { webhookId, lane: NO_APP, type, at, data, nextAt: at, ...facts },
    select: { id: true },
  });
  return id;
}

/** The deliveries of a webhook in their order, with their tries. */
export function deliveriesOf(webhookId: string) {
  return db.webhookDelivery.findMany({
    where: { webhookId },
    orderBy: { position: "asc" },
    include: { attempts: { orderBy: { number: "asc" } } },
  });
}
