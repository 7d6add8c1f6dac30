import "server-only";
import { createHash } from "node:crypto";
import { buildPushPayload } from "@block65/webcrypto-web-push";
import { pushKeys } from "@/lib/auth/server-keys";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { OutboundError, outboundFetch } from "@/lib/http/outbound";
import { retryAfterMs } from "@/lib/http/retry-after";
import { env } from "@/lib/kernel/env";
import { DEFAULT_LOCALE, isLocale } from "@/lib/kernel/i18n/locales";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { log } from "@/lib/kernel/log";
import { metrics } from "@/lib/kernel/metrics";
import { releasePath } from "@/lib/kernel/navigation/pages";
import type { PushMessage } from "@/lib/kernel/push-message";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/time";
import { WITHHELD, type WithheldReason, withhold } from "./access";
import { closeUntold, lockUntold, openEndpoint } from "./push-subscriptions";
import { secretOf, TESTER_PATH } from "./secrets";

/** Messages that an instance sends at the same time. */
const MAX_AT_ONCE = 16;
/** How long a message belongs to the instance that sends it: longer than a request may take. */
const CLAIM_MS = 2 * MINUTE_MS;
/** After each failed try, how long until the next one; after the last of them, a message is given up. */
export const PUSH_RETRY_DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
] as const;
/** The longest pause that a push service may ask for with `Retry-After`. */
const MAX_PAUSE_MS = DAY_MS;
/** How long a push service keeps a message for a browser that is not connected, in seconds. */
const TTL_SECONDS = (3 * DAY_MS) / SECOND_MS;
/** Characters of the release notes in a notification. */
const MAX_NOTES = 160;
const MAX_TITLE = 150;

/** What a run of messages needs. */
interface PushRun {
  now: () => Date;
  /** After this, what is due is left to the next run. */
  until?: Date;
  signal?: AbortSignal;
  fetch?: typeof outboundFetch;
}

interface DueRow {
  subscriptionId: string;
  releaseId: string;
  tries: number;
}

/** Claims messages that are due, except those to push services that have asked for a pause. */
function claimDue(now: Date, paused: readonly string[]): Promise<DueRow[]> {
  return queryRows<DueRow>(
    db,
    sql`
      WITH due AS (
        SELECT m."subscriptionId", m."releaseId" FROM "PushMessage" m
        JOIN "PushSubscription" s ON s."id" = m."subscriptionId"
        WHERE m."dueAt" <= ${now}::timestamptz AND s."host" <> ALL (${[...paused]}::text[])
        ORDER BY m."dueAt", m."subscriptionId", m."releaseId" LIMIT ${MAX_AT_ONCE} FOR NO KEY UPDATE OF m SKIP LOCKED
      )
      UPDATE "PushMessage" m SET "dueAt" = ${new Date(now.getTime() + CLAIM_MS)}::timestamptz FROM due
      WHERE m."subscriptionId" = due."subscriptionId" AND m."releaseId" = due."releaseId"
      RETURNING m."subscriptionId", m."releaseId", m."tries"`,
  );
}

interface Sendable {
  secret: Uint8Array;
  host: string;
  testerId: string;
  isUser: boolean;
  locale: string;
  appId: string;
  app: string;
  displayName: string;
  version: string;
  buildNumber: string;
  description: string;
  /** Why the person is not told of this release any more; null if they are. */
  withheld: WithheldReason | null;
}

/** A message with what it says; null if the person has turned notifications off. */
async function findSendable({ subscriptionId, releaseId }: DueRow): Promise<Sendable | null> {
  const [row] = await queryRows<Sendable>(
    db,
    sql`
      SELECT s."secret", s."host", t."id" AS "testerId", t."userId" IS NOT NULL AS "isUser",
        coalesce(u."locale", t."locale") AS "locale", a."id" AS "appId", a."name" AS "app", r."displayName", r."version",
        r."buildNumber", r."description", ${WITHHELD} AS "withheld"
      FROM "PushSubscription" s JOIN "Tester" t ON t."id" = s."testerId" LEFT JOIN "User" u ON u."id" = t."userId"
        LEFT JOIN "Role" ro ON ro."id" = u."roleId"
        JOIN "Release" r ON r."id" = ${releaseId}::uuid JOIN "Environment" e ON e."id" = r."environmentId"
        JOIN "App" a ON a."id" = e."appId"
      WHERE s."id" = ${subscriptionId}::uuid AND t."push"`,
    { prepared: true },
  );
  return row ?? null;
}

function shortened(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
}

async function messageOf(facts: Sendable, releaseId: string): Promise<PushMessage> {
  const locale = isLocale(facts.locale) ? facts.locale : DEFAULT_LOCALE;
  const t = translatorFor(locale);
  const { displayName: name, version, buildNumber: build, app, appId, description } = facts;
  const ofVisitor = async () => `${TESTER_PATH}${await secretOf(db, facts.testerId)}/${releaseId}`;
  return {
    title: shortened(t("mail.release.title", { name, version, build }), MAX_TITLE),
    body: shortened(description, MAX_NOTES) || shortened(t("mail.release.body", { app, version, build }), MAX_NOTES),
    url: facts.isUser ? releasePath(releaseId) : await ofVisitor(),
    tag: appId,
    lang: locale,
  };
}

/** A message of an application replaces the one before that has not been delivered (RFC 8030, 32 characters). */
const topicOf = (appId: string) => createHash("sha256").update(appId).digest("base64url").slice(0, 32);

type Outcome =
  | { kind: "sent" }
  /** The subscription has ended. */
  | { kind: "gone" }
  /** The push service does not take this message, and never will. */
  | { kind: "rejected" }
  /** `isBusy` if the push service cannot take messages now; how long it asks to wait. */
  | { kind: "later"; isBusy: boolean; pauseMs: number | null };

/** Sends one message, by the rules for addresses that somebody enters. */
async function send(due: DueRow, facts: Sendable, { now, fetch = outboundFetch }: PushRun): Promise<Outcome> {
  const subscription = openEndpoint({ id: due.subscriptionId, secret: facts.secret });
  const options = { ttl: TTL_SECONDS, urgency: "normal" as const, topic: topicOf(facts.appId) };
  const data = JSON.stringify(await messageOf(facts, due.releaseId));
  const vapid = { subject: env.APP_URL, ...(await pushKeys()) };
  const { headers, body } = await buildPushPayload({ data, options }, { ...subscription, expirationTime: null }, vapid);
  try {
    const { status, headers: answered } = await fetch(subscription.endpoint, { method: "POST", headers, body });
    if (status >= 200 && status < 300) return { kind: "sent" };
    if (status === 404 || status === 410) return { kind: "gone" };
    if (status === 429 || status >= 500) {
      return { kind: "later", isBusy: true, pauseMs: retryAfterMs(answered, now(), MAX_PAUSE_MS) };
    }
    log.warn({ status, host: facts.host }, "a push service rejected a message");
    return { kind: "rejected" };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isRefused = error.failure === "insecure" || error.failure === "forbidden_address";
    log.warn({ failure: error.failure, host: facts.host }, "a push service could not be reached");
    return isRefused ? { kind: "gone" } : { kind: "later", isBusy: true, pauseMs: null };
  }
}

const OUTCOME_LABELS = { sent: "sent", gone: "gone", rejected: "rejected", later: "failed" } as const;

/** Why a message is not sent. */
type Unsent = { kind: "off" } | { kind: "withheld"; withheld: WithheldReason };

/** Keeps the outcome of a try. The recipient is locked before the message, as by the job that makes recipients. */
async function settle(tx: Db, due: DueRow, testerId: string, outcome: Outcome | Unsent, now: Date): Promise<void> {
  const { subscriptionId, releaseId, tries } = due;
  const key = { subscriptionId, releaseId };
  const { kind } = outcome;
  if (outcome.kind === "later") {
    const wait = PUSH_RETRY_DELAYS_MS[tries];
    if (wait !== undefined) {
      const dueAt = new Date(now.getTime() + Math.max(wait, outcome.pauseMs ?? 0));
      await tx.pushMessage.updateMany({ where: key, data: { tries: tries + 1, dueAt } });
      return;
    }
  }
  if (kind === "sent") {
    await queryRows(
      tx,
      sql`
        UPDATE "ReleaseRecipient" SET "toldAt" = coalesce("toldAt", ${now}::timestamptz), "untold" = NULL
        WHERE "testerId" = ${testerId}::uuid AND "releaseId" = ${releaseId}::uuid`,
    );
    await tx.pushMessage.deleteMany({ where: key });
    await tx.pushSubscription.updateMany({ where: { id: subscriptionId }, data: { lastUsedAt: now } });
    return;
  }
  await lockUntold(tx, testerId);
  if (outcome.kind === "withheld") await withhold(tx, testerId, [{ id: releaseId, withheld: outcome.withheld }]);
  if (kind === "gone") await tx.pushSubscription.deleteMany({ where: { id: subscriptionId } });
  else await tx.pushMessage.deleteMany({ where: key });
  await closeUntold(tx, testerId);
}

/** A push service that takes no messages now, and until when it asks to wait. */
interface Pause {
  host: string;
  until: Date | null;
}

/** Leaves the messages to a push service alone until the time that it asks for. */
async function postpone({ host, until }: Pause): Promise<void> {
  if (until === null) return;
  await queryRows(
    db,
    sql`
      UPDATE "PushMessage" m SET "dueAt" = ${until}::timestamptz FROM "PushSubscription" s
      WHERE s."id" = m."subscriptionId" AND s."host" = ${host} AND m."dueAt" < ${until}::timestamptz`,
  );
}

/** Sends one due message. @returns the pause that the push service needs; null if it needs none */
async function tell(due: DueRow, run: PushRun): Promise<Pause | null> {
  const facts = await findSendable(due);
  if (!facts) {
    // Somebody who is deleted takes their messages with them.
    const owner = await db.pushSubscription.findUnique({
      where: { id: due.subscriptionId },
      select: { testerId: true },
    });
    if (owner) await db.$transaction((tx) => settle(tx, due, owner.testerId, { kind: "off" }, run.now()));
    return null;
  }
  const { testerId, withheld } = facts;
  if (withheld !== null) {
    await db.$transaction((tx) => settle(tx, due, testerId, { kind: "withheld", withheld }, run.now()));
    return null;
  }
  const outcome = await send(due, facts, run).catch((error: unknown): Outcome => {
    log.error({ err: error, subscriptionId: due.subscriptionId }, "a notification could not be sent");
    return { kind: "later", isBusy: false, pauseMs: null };
  });
  metrics.get().pushes.inc({ outcome: OUTCOME_LABELS[outcome.kind] });
  const now = run.now();
  await db.$transaction((tx) => settle(tx, due, testerId, outcome, now));
  if (outcome.kind !== "later" || !outcome.isBusy) return null;
  return { host: facts.host, until: outcome.pauseMs === null ? null : new Date(now.getTime() + outcome.pauseMs) };
}

/**
 * Sends the due messages to browsers, a few at a time, until none is due or `run.until` has passed. A push service that
 * answers 429 or 5xx, or does not answer, gets no more messages in this run, and none before the time of its
 * `Retry-After`. A message of a killed instance is sent again after its claim ends; the browser then replaces the
 * notification.
 * @returns whether more may be due, because `run.until` has passed
 */
export async function sendPushes(run: PushRun): Promise<boolean> {
  const paused = new Set<string>();
  for (;;) {
    run.signal?.throwIfAborted();
    if (run.until && run.now() >= run.until) return true;
    const rows = await claimDue(run.now(), [...paused]);
    if (rows.length === 0) return false;
    for (const pause of await Promise.all(rows.map((row) => tell(row, run)))) {
      if (!pause) continue;
      paused.add(pause.host);
      await postpone(pause);
    }
  }
}
