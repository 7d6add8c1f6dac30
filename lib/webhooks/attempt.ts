import "server-only";
import { z } from "zod";
import { OutboundError, type OutboundFailure, outboundFetch } from "@/lib/http/outbound";
import { retryAfterMs } from "@/lib/http/retry-after";
import { unseal } from "@/lib/kernel/crypto/sealed";
import { DEFAULT_LOCALE, isLocale } from "@/lib/kernel/i18n/locales";
import { VERSION } from "@/lib/kernel/instance";
import { DAY_MS } from "@/lib/kernel/time";
import type { WebhookFormat } from "@/lib/kernel/webhook-formats";
import { bodyOf, type DeliveredEvent } from "./body";
import { validPreviousSecrets } from "./secrets";
import { signedHeaders } from "./signature";

/** Bytes of an answer that are kept. */
const KEPT_ANSWER_BYTES = 2_048;

/** Where and how a message is sent. */
export interface Receiver {
  id: string;
  url: string;
  format: WebhookFormat;
  locale: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousSecretUntil: Date | null;
}

/** One try to make a delivery. */
export interface Attempt {
  at: Date;
  durationMs: number;
  /** The status of the answer; null if there was none. */
  status: number | null;
  /** Why there was none. */
  failure: OutboundFailure | null;
  /** The first 2 KB of the answer. */
  answer: string | null;
  /** `gone`: the receiver says that it does not exist any more */
  outcome: "accepted" | "failed" | "gone";
  /** How long the receiver asks to wait by 429 or 503, in milliseconds; null if it does not. */
  pauseMs: number | null;
}

/** The longest pause that a receiver may ask for. */
const MAX_PAUSE_MS = DAY_MS;

/** How the incoming webhooks of Teams that were retired answer 200 to a message that they did not post. */
const TEAMS_FAILURE = "Webhook message delivery failed with error";
/** The code of Discord for a webhook that was deleted (Unknown Webhook). */
const DISCORD_UNKNOWN_WEBHOOK = 10_015;

function isUnknownToDiscord(answer: string): boolean {
  const { data } = z.object({ code: z.literal(DISCORD_UNKNOWN_WEBHOOK) }).safeParse(jsonOf(answer));
  return data !== undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What an answer means: any 2xx accepts, and 410 ends a webhook, as in Standard Webhooks. */
function outcomeOf(format: WebhookFormat, status: number, answer: string): Attempt["outcome"] {
  if (status === 410 || (format === "discord" && status === 404 && isUnknownToDiscord(answer))) return "gone";
  if (status < 200 || status >= 300) return "failed";
  return format === "teams" && answer.startsWith(TEAMS_FAILURE) ? "failed" : "accepted";
}

/** The `webhook-id` of a delivery, the same for each try. */
export function messageId(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll("-", "")}`;
}

/** The secrets that sign a message now. */
function validSecrets(receiver: Receiver, now: Date): string[] {
  const { id, secret } = receiver;
  const current = unseal(secret, { table: "Webhook", id, column: "secret" }).toString();
  return [current, ...validPreviousSecrets(receiver, now).map((previous) => previous.secret)];
}

/** The text of the first bytes of an answer, as PostgreSQL can keep it. */
function keptAnswer(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).subarray(0, KEPT_ANSWER_BYTES).toString().replaceAll("\0", "\ufffd");
}

/**
 * Sends an event to a receiver, once, by the rules for addresses that an administrator enters (decision 010).
 * @param deliveryId of which the message's ID is made
 * @param clock.now tells the time; @param clock.fetch sends the request
 */
export async function attemptDelivery(
  receiver: Receiver,
  event: DeliveredEvent & { deliveryId: string },
  clock: { now: () => Date; fetch?: typeof outboundFetch },
): Promise<Attempt> {
  const { now, fetch = outboundFetch } = clock;
  const at = now();
  const locale = isLocale(receiver.locale) ? receiver.locale : DEFAULT_LOCALE;
  const body = bodyOf(receiver.format, event, locale);
  const headers = {
    ...signedHeaders({ id: messageId(event.deliveryId), at, body }, validSecrets(receiver, at)),
    "Content-Type": "application/json",
    "User-Agent": `Slipway/${VERSION}`,
  };
  const started = performance.now();
  const facts = () => ({ at, durationMs: Math.round(performance.now() - started) });
  try {
    const answer = await fetch(receiver.url, { method: "POST", headers, body });
    const { status } = answer;
    const kept = keptAnswer(await answer.arrayBuffer());
    const pauseMs = status === 429 || status === 503 ? retryAfterMs(answer.headers, now(), MAX_PAUSE_MS) : null;
    return {
      ...facts(),
      status,
      failure: null,
      answer: kept,
      outcome: outcomeOf(receiver.format, status, kept),
      pauseMs,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { ...facts(), status: null, failure: error.failure, answer: null, outcome: "failed", pauseMs: null };
  }
}
