import "server-only";
import type { z } from "zod";
import { containsText, pageClauses, type SortFields, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import { invalidField } from "@/lib/kernel/errors";
import { DEFAULT_LOCALE, isLocale } from "@/lib/kernel/i18n/locales";
import { messageId } from "@/lib/webhooks/attempt";
import type { Delivery, getWebhookDeliveriesInput, getWebhooksInput, Webhook } from "./schema";

/** The columns that are shown; never the secrets. */
const SECRETS = { secret: true, previousSecret: true } as const;
type WebhookRow = Prisma.WebhookGetPayload<{ omit: typeof SECRETS }>;

const withAttempts = { attempts: { orderBy: { number: "asc" } } } satisfies Prisma.WebhookDeliveryInclude;
type DeliveryRow = Prisma.WebhookDeliveryGetPayload<{ include: typeof withAttempts }>;

/** A webhook's row as the API shows it. */
export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    appIds: row.allApps ? null : row.appIds,
    format: row.format === "google_chat" ? "google-chat" : row.format,
    locale: isLocale(row.locale) ? row.locale : DEFAULT_LOCALE,
    status: row.status,
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    previousSecretUntil: row.previousSecretUntil?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The columns of what callers choose. */
export function webhookColumns(
  input: Partial<Pick<Webhook, "name" | "url" | "events" | "appIds" | "format" | "locale">>,
) {
  const { appIds, format, ...same } = input;
  return {
    ...same,
    ...(appIds !== undefined && { allApps: appIds === null, appIds: appIds ?? [] }),
    ...(format !== undefined && { format: format === "google-chat" ? ("google_chat" as const) : format }),
  };
}

/** What an audit record says of a webhook. Of the address, the path can be a secret. */
export function auditFacts({ name, url, events, appIds, format, locale, status }: Webhook) {
  return { name, url: new URL(url).origin, events, appIds, format, locale, status };
}

/** @throws ApiError validation_failed if an application does not exist */
export async function requireApps(db: Db, appIds: readonly string[] | null | undefined): Promise<void> {
  if (!appIds) return;
  const count = await db.app.count({ where: { id: { in: [...appIds] } } });
  if (count !== appIds.length) throw invalidField("appIds", "unknown");
}

export function countWebhooks(db: Db): Promise<number> {
  return db.webhook.count();
}

export function createWebhook(tx: Db, data: Prisma.WebhookUncheckedCreateInput): Promise<WebhookRow> {
  return tx.webhook.create({ data, omit: SECRETS });
}

export function findWebhook(db: Db, id: string): Promise<WebhookRow | null> {
  return db.webhook.findUnique({ where: { id }, omit: SECRETS });
}

export function updateWebhook(tx: Db, id: string, data: Prisma.WebhookUncheckedUpdateInput): Promise<WebhookRow> {
  return tx.webhook.update({ where: { id }, data, omit: SECRETS });
}

/** The secrets of a webhook as they are sealed; null if there is no such webhook. */
export function sealedSecrets(db: Db, id: string) {
  return db.webhook.findUnique({
    where: { id },
    select: { id: true, secret: true, previousSecret: true, previousSecretUntil: true },
  });
}

/** Deletes a webhook with its deliveries. Take the lock of the audit chain before. @returns null if it does not exist */
export async function deleteWebhook(tx: Db, id: string): Promise<WebhookRow | null> {
  const row = await findWebhook(tx, id);
  if (row) await tx.webhook.delete({ where: { id }, select: { id: true } });
  return row;
}

const SORTS: SortFields = {};

export async function listWebhooks(db: Db, input: z.output<typeof getWebhooksInput>) {
  const where = { ...(input.status && { status: input.status }), ...containsText(input.search, ["name", "url"]) };
  const clauses = pageClauses(input, ["createdAt"], SORTS);
  const [rows, total] = await Promise.all([
    db.webhook.findMany({ ...clauses, where: { AND: [where, clauses.where] }, omit: SECRETS }),
    db.webhook.count({ where }),
  ]);
  return { ...toPage(rows, input, SORTS), total };
}

/** A delivery's row as the API shows it. */
export function toDelivery(row: DeliveryRow): Delivery {
  const isPending = row.state === "pending";
  return {
    id: row.id,
    messageId: messageId(row.id),
    webhookId: row.webhookId,
    type: row.type,
    at: row.at.toISOString(),
    // The schema of its type has parsed it.
    data: row.data as Record<string, unknown>,
    state: row.state,
    test: row.test,
    nextAt: isPending ? row.nextAt.toISOString() : null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    attempts: row.attempts.map(({ number, at, durationMs, status, failure, answer }) => ({
      number,
      at: at.toISOString(),
      durationMs,
      status,
      failure,
      answer,
    })),
  };
}

export async function listDeliveries(db: Db, input: z.output<typeof getWebhookDeliveriesInput>) {
  const { webhookId, state, search } = input;
  const where = { webhookId, ...(state && { state }), ...containsText(search, ["type"]) };
  const clauses = pageClauses(input, ["at"], SORTS);
  const [rows, total] = await Promise.all([
    db.webhookDelivery.findMany({ ...clauses, where: { AND: [where, clauses.where] }, include: withAttempts }),
    db.webhookDelivery.count({ where }),
  ]);
  return { ...toPage(rows, input, SORTS), total };
}

export function createDelivery(tx: Db, data: Prisma.WebhookDeliveryUncheckedCreateInput): Promise<DeliveryRow> {
  return tx.webhookDelivery.create({ data, include: withAttempts });
}

export function findDelivery(db: Db, id: string): Promise<DeliveryRow | null> {
  return db.webhookDelivery.findUnique({ where: { id }, include: withAttempts });
}

/** Makes all deliveries due that wait for a webhook. Lock the webhook before. */
export async function deliverWaiting(tx: Db, webhookId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`
      UPDATE "WebhookDelivery" SET "nextAt" = ${now}::timestamptz
      WHERE "webhookId" = ${webhookId}::uuid AND "state" = 'pending'`,
  );
}

/** Lets a finished delivery be made once more, after those that wait. @returns whether it was finished */
export async function repeatDelivery(tx: Db, id: string, now: Date): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql`
      UPDATE "WebhookDelivery" SET "state" = 'pending', "tries" = 0, "nextAt" = ${now}::timestamptz, "finishedAt" = NULL,
        "claimedUntil" = NULL, "position" = nextval(pg_get_serial_sequence('"WebhookDelivery"', 'position'))
      WHERE "id" = ${id}::uuid AND "state" <> 'pending' RETURNING 1`,
  );
  return rows.length > 0;
}
