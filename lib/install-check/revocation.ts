import "server-only";
import { X509Certificate } from "node:crypto";
import {
  MAX_OCSP_BYTES,
  makeOcspRequest,
  type OcspAnswer,
  OcspError,
  ocspResponderOf,
  readOcspResponse,
} from "@slipway/certificates/cms";
import type { Db } from "@/lib/db/client";
import { makeOutbound, type Outbound, OutboundError } from "@/lib/http/outbound";
import { env } from "@/lib/kernel/env";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/time";
import { deleteUnusedSigners, dueSigners, keepAnswer, keepFailure, type StoredSigner } from "./revocation-data";
import { isAppleRoot } from "./trust";

/** The only host that is asked. The certificates of Apple's authorities name it. */
const APPLE_RESPONDER = "ocsp.apple.com";
/** How long an answer counts, whatever it says itself. */
const MAX_AGE_MS = DAY_MS;
/** An answer is renewed after this, or this long before its end if that is earlier. */
const RENEWAL_MS = 12 * HOUR_MS;
const RENEWAL_MARGIN_MS = 2 * HOUR_MS;
const RETRY_MS = HOUR_MS;
/** When a certificate that is not asked about is looked at again. */
const UNASKED_MS = 30 * DAY_MS;
/** Requests without an answer one after another, after which a run ends. */
const MAX_UNANSWERED = 3;
const BATCH = 50;

/**
 * Why it is not known whether a certificate is revoked: `foreign` it is not one of Apple's, or names no responder of Apple's;
 * `expired` it has ended, and authorities need not answer any more; `unanswered` there was no answer, or none that can be believed.
 */
type RevocationFailure = "foreign" | "expired" | "unanswered";

/** No answer about a certificate. */
export class RevocationError extends Error {
  override readonly name = "RevocationError";

  /** @param detail technical, in at most 40 characters: what went wrong on the way or with the answer */
  constructor(
    readonly failure: RevocationFailure,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(`${failure}: ${detail}`, options);
  }
}

/** Whom to ask about a certificate, and whose certificates are asked about. */
export interface Revocations {
  /** Whether a certificate that signed itself is that of a trusted authority. */
  isRoot(certificate: X509Certificate): boolean;
  /** The host of the responder. */
  host: string;
  outbound: Pick<Outbound, "fetch">;
}

/** Apple's responder has no HTTPS. Its answers are signed. */
export function appleRevocations(): Revocations {
  const outbound = makeOutbound(env.OUTBOUND_ALLOWED_HOSTS, { plainHttp: true });
  return { isRoot: isAppleRoot, host: APPLE_RESPONDER, outbound };
}

/**
 * The certificates of a signer and its authority, and the responder.
 * @throws RevocationError foreign if the chain does not lead to a trusted root, or names another responder
 */
function questionOf(chain: readonly Uint8Array[], { isRoot, host }: Revocations) {
  let certificates: X509Certificate[];
  try {
    certificates = chain.map((one) => new X509Certificate(one));
  } catch (cause) {
    throw new RevocationError("foreign", "not certificates", { cause });
  }
  const [certificate, issuer] = certificates;
  const root = certificates.at(-1);
  const isSigned = certificates.every((one, at) => {
    const above = certificates[at + 1] ?? one;
    return above.ca && one.checkIssued(above) && one.verify(above.publicKey);
  });
  if (!certificate || !issuer || !root || !isSigned || !isRoot(root)) {
    throw new RevocationError("foreign", "not of Apple");
  }
  const url = ocspResponderOf(certificate);
  if (!url || url.hostname !== host) throw new RevocationError("foreign", "no responder of Apple");
  return { certificate, issuer, url };
}

/**
 * Asks Apple whether the certificate of a signer is revoked, now and over the network.
 * @param chain the certificate and those of its authorities up to the root, DER
 * @throws RevocationError; the signal's reason
 */
export async function askRevocation(
  chain: readonly Uint8Array[],
  from: Revocations,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<OcspAnswer> {
  const { certificate, issuer, url } = questionOf(chain, from);
  if (Date.parse(certificate.validTo) <= now.getTime()) throw new RevocationError("expired", certificate.validTo);
  const question = { certificate, issuer };
  const unanswered = (detail: string, cause?: unknown) => new RevocationError("unanswered", detail, { cause });
  const answer = await from.outbound
    .fetch(url, {
      method: "POST",
      headers: { "content-type": "application/ocsp-request", accept: "application/ocsp-response" },
      body: makeOcspRequest(question),
      signal,
    })
    .catch((cause) => {
      signal?.throwIfAborted();
      throw unanswered(cause instanceof OutboundError ? cause.failure : "unreachable", cause);
    });
  if (answer.status !== 200) throw unanswered(`HTTP ${answer.status}`);
  const body = new Uint8Array(await answer.arrayBuffer());
  if (body.length > MAX_OCSP_BYTES) throw unanswered("too_large");
  try {
    return readOcspResponse(body, question, now);
  } catch (cause) {
    if (cause instanceof OcspError) throw unanswered(cause.reason, cause);
    throw cause;
  }
}

/**
 * Asks about one certificate, and keeps the answer. If there is none, an earlier one stays until its end.
 * @returns the answer, with its end as it counts here
 * @throws RevocationError; the signal's reason
 */
export async function renewRevocation(
  db: Db,
  { id, chain }: Pick<StoredSigner, "id" | "chain">,
  from: Revocations,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<OcspAnswer> {
  const at = (ms: number) => new Date(now.getTime() + ms);
  try {
    const answer = await askRevocation(chain, from, { now, signal });
    const validUntil = new Date(Math.min(answer.validUntil.getTime(), at(MAX_AGE_MS).getTime()));
    const renewal = Math.min(at(RENEWAL_MS).getTime(), validUntil.getTime() - RENEWAL_MARGIN_MS);
    const askAt = new Date(Math.max(renewal, at(RETRY_MS).getTime()));
    await keepAnswer(db, id, { ...answer, validUntil, answeredAt: now, askAt });
    return { ...answer, validUntil };
  } catch (error) {
    if (!(error instanceof RevocationError)) throw error;
    const askAt = at(error.failure === "unanswered" ? RETRY_MS : UNASKED_MS);
    await keepFailure(db, id, { failure: error.detail, askAt });
    throw error;
  }
}

/**
 * Asks about all certificates of published apps that are due, one after another, and removes those of apps that are gone. Ends early if
 * nobody answers.
 * @returns how many were asked about, and how many of them have no answer
 */
export async function renewDueRevocations(
  db: Db,
  from: Revocations,
  { now, signal }: { now(): Date; signal?: AbortSignal },
): Promise<{ asked: number; failed: number }> {
  await deleteUnusedSigners(db, now());
  const counts = { asked: 0, failed: 0 };
  let unanswered = 0;
  for (let due = await dueSigners(db, now(), BATCH); due.length > 0; due = await dueSigners(db, now(), BATCH)) {
    for (const signer of due) {
      signal?.throwIfAborted();
      counts.asked += 1;
      try {
        await renewRevocation(db, signer, from, { now: now(), signal });
        unanswered = 0;
      } catch (error) {
        if (!(error instanceof RevocationError)) throw error;
        counts.failed += 1;
        if (error.cause instanceof OutboundError) unanswered += 1;
        if (unanswered >= MAX_UNANSWERED) return counts;
      }
    }
  }
  return counts;
}
