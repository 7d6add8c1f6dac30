import { db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { newId } from "@/lib/kernel/ids";

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
      url: "https://receiver.example/hooks",
      events: [...events],
      allApps: true,
      appIds: [],
      format: "standard",
      locale: "en",
      secret: Buffer.alloc(1),
      ...facts,
    },
  });
  return id;
}

/** The deliveries of a webhook in their order. */
export function deliveriesOf(webhookId: string) {
  return db.webhookDelivery.findMany({ where: { webhookId }, orderBy: { position: "asc" } });
}
