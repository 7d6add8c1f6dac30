import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { type Db, db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
import type { outboundFetch } from "@/lib/http/outbound";
import { log } from "@/lib/kernel/log";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/time";
import { type Attempt, attemptDelivery, type Receiver } from "./attempt";

/** After each failed try, how long until the next one. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** How long a webhook may fail, without one try that succeeds, until it is turned off. */
export const MAX_FAILING_MS = 5 * DAY_MS;

/** How many events may wait for a webhook until it is turned off: who causes events faster than it takes them fills the database. */
const MAX_WAITING = 100_000;

/** How long a delivery belongs to the instance that tries it: longer than a request may take. */
const CLAIM_MS = 20 * SECOND_MS;

/** Deliveries that an instance tries at the same time, each of another webhook or application. */
const MAX_AT_ONCE = 8;
/** How many of them are of the same webhook, whose receiver may not answer. */
const MAX_OF_WEBHOOK = 2;

/** While deliveries are tried, how often others that have become due are looked for. */
const LOOK_MS = 500;

/** How many finished deliveries of a webhook are kept, for how long, and how many tries of each. */
const KEPT_DELIVERIES = 1_000;
const KEPT_MS = 30 * DAY_MS;
const KEPT_ATTEMPTS = 30;

/** A webhook that the console has turned off. */
export interface DisabledWebhook {
  id: string;
  name: string;
  host: string;
  /** Since when it has not taken what it was sent. */
  failingSince: Date;
}

/** What a run of deliveries needs. */
export interface DeliveryRun {
  now: () => Date;
  /** Is told of a webhook that is turned off, in that transaction. */
  onDisabled(tx: Db, webhook: DisabledWebhook): Promise<void>;
  /** After this, what is due is left to the next run. */
  until?: Date;
  /** Ends the run; tries that have begun are finished. */
  signal?: AbortSignal;
  fetch?: typeof outboundFetch;
}

interface Claimed {
  id: string;
  webhookId: string;
  type: string;
  at: Date;
  data: unknown;
}

/**
 * Claims deliveries that are due. Of each webhook and application, only the first one that is not finished can be claimed,
 * so that each is delivered before the next one is tried.
 * @param taken how many places each webhook has
 */
function claimDue(now: Date, max: number, taken: ReadonlyMap<string, number>): Promise<Claimed[]> {
  const until = new Date(now.getTime() + CLAIM_MS);
  return queryRows<Claimed>(
    db,
    sql`
      WITH RECURSIVE lane AS (
        (SELECT d."webhookId", d."lane" FROM "WebhookDelivery" d WHERE d."state" = 'pending'
         ORDER BY d."webhookId", d."lane" LIMIT 1)
        UNION ALL
        SELECT following."webhookId", following."lane" FROM lane CROSS JOIN LATERAL (
          SELECT d."webhookId", d."lane" FROM "WebhookDelivery" d
          WHERE d."state" = 'pending' AND (d."webhookId", d."lane") > (lane."webhookId", lane."lane")
          ORDER BY d."webhookId", d."lane" LIMIT 1
        ) following
      ), first AS (
        SELECT first."id", first."nextAt", lane."webhookId",
          row_number() OVER (PARTITION BY lane."webhookId" ORDER BY first."nextAt", first."id")
            + coalesce((${JSON.stringify(Object.fromEntries(taken))}::jsonb->>lane."webhookId"::text)::int, 0) AS "place"
        FROM lane CROSS JOIN LATERAL (
          SELECT d."id", d."nextAt", d."claimedUntil" FROM "WebhookDelivery" d
          WHERE d."state" = 'pending' AND d."webhookId" = lane."webhookId" AND d."lane" = lane."lane"
          ORDER BY d."position" LIMIT 1
        ) first
        JOIN "Webhook" w ON w."id" = lane."webhookId" AND w."status" = 'active'
        WHERE first."nextAt" <= ${now}::timestamptz
          AND (first."claimedUntil" IS NULL OR first."claimedUntil" <= ${now}::timestamptz)
      ), due AS (
        SELECT "id" FROM first WHERE "place" <= ${MAX_OF_WEBHOOK}::int ORDER BY "place", "nextAt" LIMIT ${max}
      )
      UPDATE "WebhookDelivery" d SET "claimedUntil" = ${until}::timestamptz
      FROM due WHERE d."id" = due."id" AND d."state" = 'pending'
        AND (d."claimedUntil" IS NULL OR d."claimedUntil" <= ${now}::timestamptz)
      RETURNING d."id", d."webhookId", d."type", d."at", d."data"`,
  );
}

/** Adds an attempt to the log of its delivery. Does nothing if the delivery was deleted. */
export async function recordAttempt(tx: Db, deliveryId: string, attempt: Attempt): Promise<void> {
  const { at, durationMs, status, failure, answer } = attempt;
  await queryRows(
    tx,
    sql`
      WITH numbered AS (
        SELECT d."id", coalesce((SELECT max("number") FROM "WebhookAttempt" WHERE "deliveryId" = d."id"), 0) + 1 AS "number"
        FROM "WebhookDelivery" d WHERE d."id" = ${deliveryId}::uuid
      ), removed AS (
        DELETE FROM "WebhookAttempt" a USING numbered
        WHERE a."deliveryId" = numbered."id" AND a."number" <= numbered."number" - ${KEPT_ATTEMPTS}::int
      )
      INSERT INTO "WebhookAttempt" ("deliveryId", "number", "at", "durationMs", "status", "failure", "answer")
      SELECT "id", "number", ${at}::timestamptz, ${durationMs}::int, ${status}::int, ${failure}, ${answer} FROM numbered`,
  );
}

/** When a delivery that was not accepted is tried again, and how many tries count; null if it is given up. */
function nextTry(tries: number, { pauseMs }: Attempt, now: Date): { nextAt: Date | null; tries: number } {
  const wait = RETRY_DELAYS_MS[tries];
  // A receiver that names a time is only busy.
  if (pauseMs !== null) return { nextAt: new Date(now.getTime() + Math.max(pauseMs, RETRY_DELAYS_MS[0])), tries };
  return { nextAt: wait === undefined ? null : new Date(now.getTime() + wait), tries: tries + 1 };
}

/**
 * Keeps the outcome of a try, and turns the webhook off if it has failed for days or is gone.
 * @returns when the next try is due
 */
async function settle(tx: Db, claimed: Claimed, attempt: Attempt, run: DeliveryRun): Promise<Date | null> {
  const { id, webhookId } = claimed;
  const now = run.now();
  // Before its deliveries, as by those who turn the webhook on or delete it.
  if (!(await lockRow(tx, "Webhook", webhookId))) return null;
  await recordAttempt(tx, id, attempt);
  if (attempt.outcome === "accepted") {
    const data = { state: "delivered" as const, tries: { increment: 1 }, claimedUntil: null, finishedAt: now };
    await tx.webhookDelivery.updateMany({ where: { id }, data });
    await tx.webhook.updateMany({
      where: { id: webhookId, failingSince: { not: null } },
      data: { failingSince: null },
    });
    return null;
  }
  const delivery = await tx.webhookDelivery.findUnique({ where: { id }, select: { tries: true } });
  if (!delivery) return null;
  const { nextAt, tries } = nextTry(delivery.tries, attempt, now);
  const data = {
    tries,
    claimedUntil: null,
    ...(nextAt ? { nextAt } : { state: "failed" as const, finishedAt: now }),
  };
  await tx.webhookDelivery.updateMany({ where: { id }, data });
  await tx.webhook.updateMany({ where: { id: webhookId, failingSince: null }, data: { failingSince: now } });
  const since = { lte: attempt.outcome === "gone" ? now : new Date(now.getTime() - MAX_FAILING_MS) };
  const off = await tx.webhook.updateMany({
    where: { id: webhookId, status: "active", failingSince: since },
    data: { status: "inactive", disabledAt: now },
  });
  if (off.count === 0) return nextAt;
  const webhook = await tx.webhook.findUniqueOrThrow({ where: { id: webhookId } });
  const { name, url, failingSince } = webhook;
  await run.onDisabled(tx, { id: webhookId, name, host: new URL(url).host, failingSince: failingSince ?? now });
  return null;
}

/** The columns that a delivery needs of its webhook. */
const RECEIVER = {
  id: true,
  url: true,
  format: true,
  locale: true,
  secret: true,
  previousSecret: true,
  previousSecretUntil: true,
} as const;

/** Loads a webhook as the receiver of a message; null if it was deleted. */
export async function loadReceiver(from: Db, webhookId: string): Promise<Receiver | null> {
  const row = await from.webhook.findUnique({ where: { id: webhookId }, select: RECEIVER });
  return row && { ...row, format: row.format === "google_chat" ? "google-chat" : row.format };
}

/** Tries a delivery, and keeps the outcome. @returns when the next try is due, and whether the receiver asks for a pause until then */
async function deliver(claimed: Claimed, run: DeliveryRun): Promise<{ nextAt: Date | null; isBusy: boolean }> {
  const receiver = await loadReceiver(db, claimed.webhookId);
  if (!receiver) return { nextAt: null, isBusy: false };
  const attempt = await attemptDelivery(receiver, { ...claimed, deliveryId: claimed.id }, run);
  const nextAt = await db.$transaction((tx) => settle(tx, claimed, attempt, run));
  return { nextAt, isBusy: attempt.pauseMs !== null };
}

/**
 * Makes the due deliveries until none is due or `run.until` has passed. Several instances can do so at the same time. A
 * delivery of a killed instance is tried again after its claim ends.
 * @returns when the next run is needed: now if `run.until` has passed, otherwise the time of the first retry; null if
 *   there is none
 */
export async function deliverDue(run: DeliveryRun): Promise<Date | null> {
  const active = new Map<Promise<void>, string>();
  /** Receivers that asked for a pause, and until when. */
  const paused = new Map<string, Date>();
  let next: Date | null = null;
  const begin = (claimed: Claimed) => {
    const { id, webhookId } = claimed;
    const work = deliver(claimed, run)
      .then(({ nextAt, isBusy }) => {
        if (nextAt && isBusy) paused.set(webhookId, nextAt);
        if (nextAt && (!next || nextAt < next)) next = nextAt;
      })
      .catch((error) => log.error({ err: error, delivery: id }, "a webhook delivery could not be tried"))
      .finally(() => active.delete(work));
    active.set(work, webhookId);
  };
  /** How many places each webhook has; all of its places while its receiver wants a pause. */
  const taken = () => {
    const places = new Map<string, number>();
    for (const webhookId of active.values()) places.set(webhookId, (places.get(webhookId) ?? 0) + 1);
    for (const [webhookId, until] of paused) if (until > run.now()) places.set(webhookId, MAX_OF_WEBHOOK);
    return places;
  };
  for (;;) {
    const free = MAX_AT_ONCE - active.size;
    const isOver = run.until !== undefined && run.now() >= run.until;
    const claimed = run.signal?.aborted || isOver || free === 0 ? [] : await claimDue(run.now(), free, taken());
    claimed.forEach(begin);
    if (active.size === 0) return isOver ? run.now() : next;
    await Promise.race([...active.keys(), delay(LOOK_MS, undefined, { ref: false })]);
  }
}

/** Deletes finished deliveries of which each webhook has too many, and those that are too old. @returns how many */
export async function trimDeliveries(now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  const rows = await queryRows(
    db,
    sql`
      DELETE FROM "WebhookDelivery" d USING "Webhook" w
      LEFT JOIN LATERAL (
        SELECT k."position" FROM "WebhookDelivery" k WHERE k."webhookId" = w."id" AND k."state" <> 'pending'
        ORDER BY k."position" DESC OFFSET ${KEPT_DELIVERIES}::int LIMIT 1
      ) last ON true
      WHERE d."webhookId" = w."id" AND d."state" <> 'pending'
        AND (d."position" <= last."position" OR d."finishedAt" < ${before}::timestamptz)
      RETURNING 1`,
  );
  return rows.length;
}

/**
 * Turns off the webhooks for which too many events wait. What waits is delivered once they are turned on again. It is due since
 * then, not since its event, and is not counted again: otherwise the webhook would be off before it has taken the excess.
 */
export async function disableOverfull(
  run: Pick<DeliveryRun, "now" | "onDisabled">,
  { maxWaiting = MAX_WAITING } = {},
): Promise<void> {
  const now = run.now();
  await db.$transaction(async (tx) => {
    const rows = await queryRows<{ id: string; name: string; url: string; failingSince: Date | null; oldest: Date }>(
      tx,
      sql`
        UPDATE "Webhook" w SET "status" = 'inactive', "disabledAt" = ${now}::timestamptz
        FROM "Webhook" known CROSS JOIN LATERAL (
          SELECT 1 FROM "WebhookDelivery" d WHERE d."webhookId" = known."id" AND d."state" = 'pending'
            AND d."nextAt" = d."at"
          OFFSET ${maxWaiting}::int LIMIT 1
        ) beyond CROSS JOIN LATERAL (
          SELECT min(d."at") AS "oldest" FROM "WebhookDelivery" d WHERE d."webhookId" = known."id" AND d."state" = 'pending'
        ) waiting
        WHERE w."id" = known."id" AND w."status" = 'active'
        RETURNING w."id", w."name", w."url", w."failingSince", waiting."oldest"`,
    );
    for (const { id, name, url, failingSince, oldest } of rows) {
      await run.onDisabled(tx, { id, name, host: new URL(url).host, failingSince: failingSince ?? oldest });
    }
  });
}
