import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/lib/db/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { newId } from "@/lib/kernel/ids";

/** How many browsers of a person are told. Another one replaces the one that was added first. */
export const MAX_PUSH_SUBSCRIPTIONS = 10;

/** A browser's subscription, as it gives it itself (Push API). It suffices to send to the browser. */
export interface PushEndpoint {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

const place = (id: string) => ({ table: "PushSubscription", id, column: "secret" });

/** @throws SealedError */
export function openEndpoint({ id, secret }: { id: string; secret: Uint8Array }): PushEndpoint {
  return JSON.parse(unseal(secret, place(id)).toString()) as PushEndpoint;
}

/** The SHA-256 by which a browser recognizes its own subscription, and by which it is found. */
export function hashOfEndpoint(endpoint: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(endpoint).digest() as Buffer<ArrayBuffer>;
}

/** Whether messages wait for the browsers of the recipient `r`, as an SQL expression. */
export const PUSH_WAITS = sql`
  EXISTS (SELECT 1 FROM "PushMessage" pm JOIN "PushSubscription" ps ON ps."id" = pm."subscriptionId"
    WHERE ps."testerId" = r."testerId" AND pm."releaseId" = r."releaseId")`;

/** Whether the person `t` has a browser that is told, as an SQL expression. */
export const HAS_PUSH = sql`
  (t."push" AND EXISTS (SELECT 1 FROM "PushSubscription" ps WHERE ps."testerId" = t."id"))`;

/** Locks the rows of the mails to somebody in one order, so that two transactions do not wait for each other. */
export async function lockMails(tx: Db, testerId: string): Promise<void> {
  await queryRows(
    tx,
    sql`SELECT 1 FROM "TesterMail" WHERE "testerId" = ${testerId}::uuid ORDER BY "appId" FOR NO KEY UPDATE`,
  );
}

/**
 * Locks what somebody is still to be told of, in the order in which the job that makes recipients locks it. To be called before messages
 * or subscriptions are deleted.
 */
export async function lockUntold(tx: Db, testerId: string): Promise<void> {
  await lockMails(tx, testerId);
  await queryRows(
    tx,
    sql`
      SELECT 1 FROM "ReleaseRecipient" WHERE "testerId" = ${testerId}::uuid AND "toldAt" IS NULL AND "untold" IS NULL
      ORDER BY "releaseId" FOR NO KEY UPDATE`,
  );
}

/** Keeps that somebody is not told of the releases of which no mail and no message is due any more. */
export async function closeUntold(tx: Db, testerId: string): Promise<void> {
  await queryRows(
    tx,
    sql`
      UPDATE "ReleaseRecipient" r SET "untold" = 'off'
      WHERE r."testerId" = ${testerId}::uuid AND r."toldAt" IS NULL AND r."untold" IS NULL AND NOT r."mailDue" AND NOT ${PUSH_WAITS}`,
  );
}

/** Deletes messages to the browsers of somebody. @param condition on the release `r` and its environment `e` */
export async function dropPushMessages(tx: Db, testerId: string, condition: Sql = sql`true`): Promise<void> {
  await queryRows(
    tx,
    sql`
      DELETE FROM "PushMessage" m USING "PushSubscription" s, "Release" r, "Environment" e
      WHERE s."id" = m."subscriptionId" AND s."testerId" = ${testerId}::uuid AND r."id" = m."releaseId"
        AND e."id" = r."environmentId" AND ${condition}`,
  );
}

/** Why a subscription is not kept: another person's browser has the same endpoint with other keys. */
type SubscriptionProblem = "taken";

/**
 * Keeps the subscription of a browser of somebody. A browser that another person used before is theirs from now on.
 * @returns its ID, or why it is not kept
 */
export async function keepSubscription(
  tx: Db,
  given: PushEndpoint & { testerId: string; userAgent: string | null; now: Date },
): Promise<{ id: string } | { problem: SubscriptionProblem }> {
  const { endpoint, keys, testerId, userAgent, now } = given;
  const hash = hashOfEndpoint(endpoint);
  // The endpoint of somebody else's browser does not give its keys.
  const known = await tx.pushSubscription.findUnique({ where: { endpointHash: hash } });
  if (known) {
    const before = openEndpoint(known);
    const isSame = before.keys.auth === keys.auth && before.keys.p256dh === keys.p256dh;
    if (!isSame && known.testerId !== testerId) return { problem: "taken" };
    if (isSame && known.testerId === testerId) return { id: known.id };
    await lockUntold(tx, known.testerId);
    await tx.pushSubscription.deleteMany({ where: { id: known.id } });
    await closeUntold(tx, known.testerId);
  }
  const id = newId();
  const secret = seal(JSON.stringify({ endpoint, keys } satisfies PushEndpoint), place(id));
  const data = { id, testerId, endpointHash: hash, host: new URL(endpoint).host, secret, userAgent, createdAt: now };
  await tx.pushSubscription.create({ data, select: { id: true } });
  const surplus = await queryRows<{ id: string }>(
    tx,
    sql`
      SELECT "id" FROM "PushSubscription" WHERE "testerId" = ${testerId}::uuid
      ORDER BY "createdAt" DESC, "id" DESC OFFSET ${MAX_PUSH_SUBSCRIPTIONS}::int`,
  );
  if (surplus.length > 0) {
    await lockUntold(tx, testerId);
    await tx.pushSubscription.deleteMany({ where: { id: { in: surplus.map((one) => one.id) } } });
    await closeUntold(tx, testerId);
  }
  return { id };
}

/** Deletes subscriptions of somebody. @returns how many there were */
export async function removeSubscriptions(
  tx: Db,
  testerId: string,
  which: { id: string } | { endpoint: string },
): Promise<number> {
  await lockUntold(tx, testerId);
  const where = "id" in which ? { id: which.id } : { endpointHash: hashOfEndpoint(which.endpoint) };
  const { count } = await tx.pushSubscription.deleteMany({ where: { testerId, ...where } });
  if (count > 0) await closeUntold(tx, testerId);
  return count;
}
