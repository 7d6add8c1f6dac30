import { createHash, timingSafeEqual, verify, X509Certificate } from "node:crypto";
import { fromBER, Null, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { type Asn1, parseAsn1 } from "../encoding/asn1";
import { CertificateFileError } from "../errors";
import { DAY_MS } from "../time";
import { Work } from "../work";
import { DIGESTS, SIGNATURES } from "./object-identifiers";

/** The longest response that is read, in bytes. Those of authorities have 500 to 3,000. */
export const MAX_OCSP_BYTES = 64 * 1024;
const MAX_CERTIFICATES = 5;
/** By how much the clock of a responder may be ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** How long a response without an end is valid. */
const DEFAULT_VALIDITY_MS = DAY_MS;

const BASIC_RESPONSE = "1.3.6.1.5.5.7.48.1.1";
/** The extended key usage of those who sign responses for an authority (RFC 6960, 4.2.2.2). */
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
/** The values of OCSPResponseStatus; 4 is not used. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: "malformedRequest",
  2: "internalError",
  3: "tryLater",
  5: "sigRequired",
  6: "unauthorized",
};

/**
 * A response says nothing about the certificate. `message` is for developers and has no part of the response.
 *
 * - `malformed`: it is not a response (RFC 6960)
 * - `refused`: the responder did not answer the question
 * - `signature`: neither the authority nor one to whom it delegated this signed it
 * - `other_certificate`: it is about another certificate
 * - `not_current`: it has ended, or begins in the future
 */
export class OcspError extends Error {
  override readonly name = "OcspError";

  constructor(
    readonly reason: "malformed" | "refused" | "signature" | "other_certificate" | "not_current",
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${reason}: ${detail}`, options);
  }
}

/** What an authority says about a certificate. `good`: it is not revoked. */
export interface OcspAnswer {
  status: "good" | "revoked" | "unknown";
  /** Null unless it is revoked. */
  revokedAt: Date | null;
  /** Until when the answer may be used: its end, or a day after it was made. */
  validUntil: Date;
}

/** A certificate and the one of its authority, which has to be verified before. */
export interface OcspQuestion {
  certificate: X509Certificate;
  issuer: X509Certificate;
}

const sha1 = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest();
const isEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** The values of a certificate, DER. */
function partsOf(certificate: X509Certificate) {
  const { children } = parseAsn1(certificate.raw, new Work()).child(0);
  // The version is left out of certificates of version 1.
  const [serialNumber, , issuer, , subject, key] = children[0]?.isContext(0) ? children.slice(1) : children;
  if (!serialNumber || !issuer || !subject || !key) throw new OcspError("malformed", "a certificate is not one");
  return { serialNumber: serialNumber.bytes, issuer: issuer.bytes, subject: subject.bytes, key: key.child(1).bits };
}

/** The address of the responder that a certificate names; null if it names none. */
export function ocspResponderOf(certificate: X509Certificate): URL | null {
  const address = /^OCSP - URI:(\S+)$/m.exec(certificate.infoAccess ?? "")?.[1] ?? "";
  return URL.parse(address);
}

/** By SHA-1, which names the certificate and protects nothing; other digests are not known to all responders (RFC 5019, 2.1.1). */
function certificateId({ certificate, issuer }: OcspQuestion): Sequence {
  const octets = (bytes: Uint8Array) => new OctetString({ valueHex: Uint8Array.from(bytes).buffer });
  const { serialNumber, issuer: issuerName } = partsOf(certificate);
  return new Sequence({
    value: [
      new Sequence({ value: [new ObjectIdentifier({ value: DIGESTS.sha1 }), new Null()] }),
      octets(sha1(issuerName)),
      octets(sha1(partsOf(issuer).key)),
      fromBER(Uint8Array.from(serialNumber)).result,
    ],
  });
}

/** Makes the request for the status of a certificate (RFC 6960, without a nonce, which public responders do not repeat). */
export function makeOcspRequest(question: OcspQuestion): Uint8Array<ArrayBuffer> {
  const request = new Sequence({ value: [certificateId(question)] });
  const list = new Sequence({ value: [request] });
  return new Uint8Array(new Sequence({ value: [new Sequence({ value: [list] })] }).toBER());
}

/** Whether a certificate is the one that a response names as its signer, by its name or the SHA-1 of its key. */
function isNamed(certificate: X509Certificate, responder: Asn1): boolean {
  const { subject, key } = partsOf(certificate);
  if (responder.isContext(1)) return isEqual(responder.child(0).bytes, subject);
  const hash = responder.isContext(2) ? responder.child(0).octets : new Uint8Array();
  const expected = sha1(key);
  return hash.length === expected.length && timingSafeEqual(hash, expected);
}

/** Whether an authority lets the owner of a certificate sign responses about its own certificates. */
function isDelegate(certificate: X509Certificate, issuer: X509Certificate, now: Date): boolean {
  const isValid = Date.parse(certificate.validFrom) <= now.getTime() && now.getTime() < Date.parse(certificate.validTo);
  const maySign = certificate.keyUsage?.includes(OCSP_SIGNING) ?? false;
  return isValid && maySign && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** The signed part of a response, read from no other bytes than those that are signed. */
function verifiedData(basic: Asn1, issuer: X509Certificate, now: Date): Asn1 {
  const [data, algorithm, signature, certs] = basic.children;
  if (!data || !algorithm || !signature) throw new OcspError("malformed", "it is not signed");
  const signed = parseAsn1(data.bytes, new Work());
  const responder = signed.children.find((one) => one.isContext(1) || one.isContext(2));
  if (!responder) throw new OcspError("malformed", "it names no signer");
  const given = certs?.isContext(0) ? certs.child(0).children : [];
  if (given.length > MAX_CERTIFICATES) throw new OcspError("malformed", "too many certificates");
  const delegates = given
    .map(({ bytes }) => new X509Certificate(bytes))
    .filter((certificate) => isDelegate(certificate, issuer, now));
  const signer = [issuer, ...delegates].find((certificate) => isNamed(certificate, responder));
  if (!signer) throw new OcspError("signature", "the signer may not speak for the authority");
  const scheme = SIGNATURES[algorithm.child(0).objectIdentifier];
  const digest = scheme?.digest;
  if (!digest || digest === "sha1" || signer.publicKey.asymmetricKeyType !== scheme.key) {
    throw new OcspError("signature", "the algorithm is not supported");
  }
  if (!verify(digest, data.bytes, signer.publicKey, signature.bits)) {
    throw new OcspError("signature", "it does not verify");
  }
  return signed;
}

/** Reads the status of the certificate of the question (SingleResponse). */
function answerOf(single: Asn1, now: Date): OcspAnswer {
  const [, status, thisUpdate, ...rest] = single.children;
  if (!status || !thisUpdate) throw new OcspError("malformed", "it has no status");
  const begins = thisUpdate.time.getTime();
  const nextUpdate = rest
    .find((one) => one.isContext(0))
    ?.child(0)
    .time.getTime();
  const ends = nextUpdate ?? begins + DEFAULT_VALIDITY_MS;
  if (begins > now.getTime() + CLOCK_TOLERANCE_MS) throw new OcspError("not_current", "it begins in the future");
  if (ends <= now.getTime()) throw new OcspError("not_current", "it has ended");
  const validUntil = new Date(ends);
  if (status.isContext(1)) return { status: "revoked", revokedAt: status.child(0).time, validUntil };
  if (status.isContext(0)) return { status: "good", revokedAt: null, validUntil };
  if (status.isContext(2)) return { status: "unknown", revokedAt: null, validUntil };
  throw new OcspError("malformed", "its status is not known");
}

function readResponse(bytes: Uint8Array, question: OcspQuestion, now: Date): OcspAnswer {
  const response = parseAsn1(bytes, new Work());
  const code = response.child(0).integer;
  if (code !== 0) throw new OcspError(REFUSALS[code] ? "refused" : "malformed", REFUSALS[code] ?? "unknown status");
  const content = response.child(1).child(0);
  if (content.child(0).objectIdentifier !== BASIC_RESPONSE) throw new OcspError("malformed", "not a basic response");
  const basic = parseAsn1(content.child(1).octets, new Work());
  const data = verifiedData(basic, question.issuer, now);
  const responses = data.children.find(({ isSequence }) => isSequence)?.children ?? [];
  const expected = new Uint8Array(certificateId(question).toBER());
  const wanted = parseAsn1(expected, new Work()).children.slice(1);
  const single = responses.find((one) => {
    const [algorithm, ...values] = one.child(0).children;
    const isSha1 = algorithm?.child(0).objectIdentifier === DIGESTS.sha1;
    return (
      isSha1 &&
      values.length === wanted.length &&
      values.every((value, at) => isEqual(value.bytes, wanted[at]?.bytes ?? new Uint8Array()))
    );
  });
  if (!single) throw new OcspError("other_certificate", "it does not have the certificate");
  return answerOf(single, now);
}

/**
 * Reads and verifies the response to a request (RFC 6960, 3.2): it is about this certificate, signed by its authority or one to whom that
 * delegated it, and valid at a time. Whether the authority is trusted is not checked.
 * @throws OcspError
 */
export function readOcspResponse(bytes: Uint8Array, question: OcspQuestion, now: Date): OcspAnswer {
  if (bytes.length > MAX_OCSP_BYTES) throw new OcspError("malformed", "too long");
  try {
    return readResponse(bytes, question, now);
  } catch (cause) {
    if (cause instanceof OcspError) throw cause;
    const isDamaged = cause instanceof CertificateFileError || (cause as { code?: unknown }).code !== undefined;
    if (!isDamaged) throw cause;
    throw new OcspError("malformed", "not a response", { cause });
  }
}
