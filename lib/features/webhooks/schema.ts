import { z } from "zod";
import { listInput, listOutput } from "@/lib/api/list";
import { EVENT_TYPES, isEventType } from "@/lib/kernel/events";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { nameSchema } from "@/lib/kernel/name-schema";
import { statusSchema } from "@/lib/kernel/status-schema";
import { unique } from "@/lib/kernel/unique";
import { WEBHOOK_FORMATS } from "@/lib/kernel/webhook-formats";

/** How many webhooks there may be. Each event of each change is compared with all of them. */
export const MAX_WEBHOOKS = 100;

/** Whether a text is an address that a request can be sent to. Whether the server would send one is decided there. */
function isWebhookUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || url.protocol === "http:";
}

const url = z.string().trim().max(2_000).refine(isWebhookUrl, { error: "webhookUrl" });

/** A type of event, or `audit.<action>`. */
const eventSchema = z.string().max(100).refine(isEventType, { error: "eventType" });

const events = z.array(eventSchema).min(1).max(200).transform(unique);
/** Null for all applications. */
const appIds = z.array(idSchema).min(1).max(500).transform(unique).nullable();
const format = z.enum(WEBHOOK_FORMATS);
/** The language of the messages in the formats of chats. */
const locale = z.enum(LOCALES);

export const webhookSchema = z.object({
  id: idSchema,
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  appIds: z.array(idSchema).nullable(),
  format,
  locale,
  status: statusSchema,
  /** The first try that failed since the last one that succeeded. */
  failingSince: z.iso.datetime().nullable(),
  /** When the console turned it off, because it had failed for five days, its receiver was gone, or too many events waited for it. */
  disabledAt: z.iso.datetime().nullable(),
  /** Until when messages are signed with the secret before the latest rotation too. */
  previousSecretUntil: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Webhook = z.output<typeof webhookSchema>;

export const createWebhookInput = z.strictObject({
  name: nameSchema,
  url,
  events,
  /** Only events of these applications; by default, of all, and those that belong to none. */
  appIds: appIds.optional(),
  format: format.default("standard"),
  /** Default: the caller's language. */
  locale: locale.optional(),
});

/** A webhook with its secret, which is returned only once. */
export const webhookWithSecretSchema = webhookSchema.extend({ secret: z.string() });
export type WebhookWithSecret = z.output<typeof webhookWithSecretSchema>;

export const updateWebhookInput = z.strictObject({
  id: idSchema,
  name: nameSchema.optional(),
  url: url.optional(),
  events: events.optional(),
  appIds: appIds.optional(),
  format: format.optional(),
  locale: locale.optional(),
  status: statusSchema.optional(),
  ifUpdatedAt: ifUpdatedAtSchema,
});

export const webhookIdInput = z.strictObject({ id: idSchema });

export const getWebhooksInput = listInput({
  sorts: ["-createdAt", "name"],
  filters: { status: statusSchema.optional() },
});
export const webhooksOutput = listOutput(webhookSchema);

const attemptSchema = z.object({
  number: z.int(),
  at: z.iso.datetime(),
  durationMs: z.int(),
  /** The status of the answer; null if there was none. */
  status: z.int().nullable(),
  /** Why there was none, such as `timeout`, `tls`, `forbidden_address`, `redirected` or `too_large`. */
  failure: z.string().nullable(),
  /** The first 2 KB of the answer. */
  answer: z.string().nullable(),
});

const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;

export const deliverySchema = z.object({
  id: idSchema,
  /** The `webhook-id` of the message, the same for each try. */
  messageId: z.string(),
  webhookId: idSchema,
  type: z.string(),
  /** When the event happened. */
  at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
  state: z.enum(DELIVERY_STATES),
  /** Whether it is a test and not an event. */
  test: z.boolean(),
  /** When the next try is due, if the deliveries before it are finished by then. */
  nextAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  /** The latest tries, the first one first. */
  attempts: z.array(attemptSchema),
});
export type Delivery = z.output<typeof deliverySchema>;

export const getWebhookDeliveriesInput = listInput({
  sorts: ["-at"],
  filters: { webhookId: idSchema, state: z.enum(DELIVERY_STATES).optional() },
});
export const webhookDeliveriesOutput = listOutput(deliverySchema);

export const testWebhookInput = z.strictObject({
  id: idSchema,
  /** The type of the example; by default, the first event of the webhook. */
  event: eventSchema.optional(),
});

export const previewWebhookInput = z.strictObject({
  format: format.default("standard"),
  event: eventSchema.default(EVENT_TYPES[0] as string),
  locale: locale.optional(),
});

/** The body of a request that delivers an example of an event. */
export const webhookPreviewSchema = z.object({ contentType: z.string(), body: z.string() });
