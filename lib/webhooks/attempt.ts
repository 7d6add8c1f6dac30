import "server-only";
import { OutboundError, type OutboundFailure, outboundFetch } from "@/lib/http/outbound";
import { unseal } from "@/lib/kernel/crypto/sealed";
import { DEFAULT_LOCALE, isLocale } from "@/lib/kernel/i18n/locales";
import { VERSION } from "@/lib/kernel/instance";
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
}

/** Whether the receiver has accepted the message. */
export function isAccepted({ status }: Pick<Attempt, "status">): boolean {
  return status !== null && status >= 200 && status < 300;
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
    const kept = keptAnswer(await answer.arrayBuffer());
    return { ...facts(), status: answer.status, failure: null, answer: kept };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { ...facts(), status: null, failure: error.failure, answer: null };
  }
}
