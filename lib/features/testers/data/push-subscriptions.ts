import "server-only";
import { ECDH } from "node:crypto";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { outboundProblem } from "@/lib/http/outbound";
import { invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { keepSubscription, type PushEndpoint } from "@/lib/testers/push-subscriptions";

/** The ID of a user among the people who are told of releases, which is made when it is first needed. */
export async function testerOfUser(
  tx: Db,
  userId: string,
  { locale, now }: { locale: string; now: Date },
): Promise<string> {
  await queryRows(
    tx,
    sql`
      INSERT INTO "Tester" ("id", "userId", "locale", "createdAt")
      VALUES (${newId()}::uuid, ${userId}::uuid, ${locale}, ${now}::timestamptz) ON CONFLICT DO NOTHING`,
  );
  return (await tx.tester.findUniqueOrThrow({ where: { userId }, select: { id: true } })).id;
}

/** The ID of a user among the people who are told of releases; null for somebody who was never added. */
export async function findTesterOfUser(from: Db, userId: string): Promise<string | null> {
  return (await from.tester.findUnique({ where: { userId }, select: { id: true } }))?.id ?? null;
}

/** Whether the key of a browser is a point of the curve, so that messages can be encrypted for it. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, "prime256v1", "base64url", "hex", "compressed");
    return true;
  } catch {
    return false;
  }
}

/** What the console knows of the browser that subscribes. */
interface SubscribingBrowser {
  userAgent: string | null;
  now: Date;
}

/**
 * Stores the subscription of a tester's browser.
 * @returns its ID
 * @throws ApiError validation_failed for an address that the console does not call
 */
export async function subscribe(
  tx: Db,
  testerId: string,
  given: PushEndpoint,
  browser: SubscribingBrowser,
): Promise<string> {
  if (outboundProblem(new URL(given.endpoint)) !== null) throw invalidField("endpoint", "unknown");
  if (!isPoint(given.keys.p256dh)) throw invalidField("keys", "unknown");
  const kept = await keepSubscription(tx, { ...given, ...browser, testerId });
  if ("problem" in kept) throw invalidField("endpoint", "unknown");
  return kept.id;
}

/** Stores the subscription of a user's browser. @returns its ID @throws ApiError as `subscribe` */
export async function subscribeUser(
  tx: Db,
  userId: string,
  given: PushEndpoint,
  browser: SubscribingBrowser & { locale: string },
): Promise<string> {
  return subscribe(tx, await testerOfUser(tx, userId, browser), given, browser);
}
