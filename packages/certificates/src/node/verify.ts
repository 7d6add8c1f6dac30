import { createHash, timingSafeEqual, verify, X509Certificate } from "node:crypto";
import { type Asn1, parseAsn1 } from "../encoding/asn1";
import { CertificateFileError } from "../errors";
import { Work } from "../work";
import { CONTENT_TYPE, DIGESTS, MESSAGE_DIGEST, SIGNATURES, SIGNED_DATA } from "./object-identifiers";

/** The longest message that is read, in bytes. That of an iPhone has about 4,000. */
export const MAX_CMS_BYTES = 256 * 1024;
/** Values of ASN.1 in a message. That of an iPhone has about 200. */
const MAX_CMS_NODES = 2_000;
/** Certificates in a message. */
const MAX_CERTIFICATES = 10;

/**
 * A message is not signed as it says. `message` is for developers and has no part of the message.
 *
 * - `malformed`: it is not CMS with a document in it (RFC 5652, SignedData)
 * - `unsigned`: nobody signed it, or the signer's certificate is missing
 * - `signature`: the signature is not that of the document
 */
export class CmsError extends Error {
  override readonly name = "CmsError";

  constructor(
    readonly reason: "malformed" | "unsigned" | "signature",
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${reason}: ${detail}`, options);
  }
}

/** A document whose signature was verified. Who the signer is, is not. */
export interface VerifiedCms {
  content: Uint8Array;
  signer: X509Certificate;
  /** All certificates of the message. */
  certificates: X509Certificate[];
}

interface Parts {
  contentType: string;
  content: Uint8Array;
  certificates: Asn1[];
  signers: Asn1[];
}

/** The parts of a SignedData that are needed. */
function partsOf(bytes: Uint8Array): Parts {
  const message = parseAsn1(bytes, new Work(MAX_CMS_NODES));
  if (message.child(0).objectIdentifier !== SIGNED_DATA) throw new CmsError("malformed", "not SignedData");
  const [, , encapsulated, ...rest] = message.child(1).child(0).children;
  if (!encapsulated) throw new CmsError("malformed", "no content");
  const signers = rest.at(-1);
  if (!signers) throw new CmsError("malformed", "no signers");
  return {
    contentType: encapsulated.child(0).objectIdentifier,
    content: encapsulated.child(1).child(0).octets,
    // Only the tag 0 is that of certificates; 1 is that of revocation lists.
    certificates: rest.find((part) => part.isContext(0))?.children ?? [],
    signers: signers.isContext(0) || signers.isContext(1) ? [] : signers.children,
  };
}

/** The issuer and serial number of a certificate, DER. */
export function readSignerIds(certificate: Uint8Array): { issuer: Uint8Array; serialNumber: Uint8Array } {
  const { children } = parseAsn1(certificate, new Work(MAX_CMS_NODES)).child(0);
  // The version is left out of certificates of version 1.
  const [serialNumber, , issuer] = children[0]?.isContext(0) ? children.slice(1) : children;
  if (!serialNumber || !issuer) throw new CmsError("malformed", "a certificate is not one");
  return { issuer: issuer.bytes, serialNumber: serialNumber.bytes };
}

const isEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

function digestOf(algorithm: Asn1): keyof typeof DIGESTS {
  const found = Object.entries(DIGESTS).find(([, id]) => id === algorithm.child(0).objectIdentifier);
  if (!found) throw new CmsError("signature", "the digest is not supported");
  return found[0] as keyof typeof DIGESTS;
}

/** The only value of a signed attribute. */
function attributeValue(attributes: Asn1, type: string): Asn1 {
  const values = attributes.children
    .filter((attribute) => attribute.child(0).objectIdentifier === type)
    .flatMap((attribute) => attribute.child(1).children);
  const [value, ...others] = values;
  if (!value || others.length > 0) throw new CmsError("signature", "a signed attribute is missing or repeated");
  return value;
}

/** What a signer signed: the document, or its attributes with the digest of the document (RFC 5652, section 5.4). */
function signedBytes(parts: Parts, attributes: Asn1 | undefined, digest: keyof typeof DIGESTS): Uint8Array {
  if (!attributes) return parts.content;
  if (attributeValue(attributes, CONTENT_TYPE).objectIdentifier !== parts.contentType) {
    throw new CmsError("signature", "the signed type is another one");
  }
  const expected = createHash(digest).update(parts.content).digest();
  const stated = attributeValue(attributes, MESSAGE_DIGEST).octets;
  if (stated.length !== expected.length || !timingSafeEqual(stated, expected)) {
    throw new CmsError("signature", "the document is another one");
  }
  const bytes = Uint8Array.from(attributes.bytes);
  // They are signed as the SET that they are, and not with the tag that they have in the message.
  bytes[0] = 0x31;
  return bytes;
}

function verifyParts(parts: Parts): VerifiedCms {
  const { certificates: given, signers } = parts;
  if (given.length > MAX_CERTIFICATES) throw new CmsError("malformed", "too many certificates");
  const [signer, ...others] = signers;
  if (!signer) throw new CmsError("unsigned", "no signer");
  if (others.length > 0) throw new CmsError("malformed", "more than one signer");
  const certificates = given.filter((one) => one.isSequence).map((one) => new X509Certificate(one.bytes));
  const [, id, digestAlgorithm, ...rest] = signer.children;
  const attributes = rest[0]?.isContext(0) ? rest.shift() : undefined;
  const [signatureAlgorithm, signature] = rest;
  if (!id || !digestAlgorithm || !signatureAlgorithm || !signature) throw new CmsError("malformed", "no signature");
  if (!id.isSequence) throw new CmsError("malformed", "the signer is not named by issuer and serial number");
  const [issuer, serialNumber] = [id.child(0).bytes, id.child(1).bytes];
  const certificate = certificates.find(({ raw }) => {
    const ids = readSignerIds(raw);
    return isEqual(ids.issuer, issuer) && isEqual(ids.serialNumber, serialNumber);
  });
  if (!certificate) throw new CmsError("unsigned", "the certificate of the signer is missing");
  const digest = digestOf(digestAlgorithm);
  const { publicKey } = certificate;
  const scheme = SIGNATURES[signatureAlgorithm.child(0).objectIdentifier];
  if (!scheme || publicKey.asymmetricKeyType !== scheme.key || (scheme.digest ?? digest) !== digest) {
    throw new CmsError("signature", "the algorithm is not supported");
  }
  if (!verify(digest, signedBytes(parts, attributes, digest), publicKey, signature.octets)) {
    throw new CmsError("signature", "it does not verify");
  }
  return { content: parts.content, signer: certificate, certificates };
}

/**
 * Verifies a document that is signed as CMS, with the document and the signer's certificate in it. Neither the validity of
 * the certificate nor its issuer is checked; see `isIssuedBy`.
 * @throws CmsError
 */
export function verifyCms(bytes: Uint8Array): VerifiedCms {
  if (bytes.length > MAX_CMS_BYTES) throw new CmsError("malformed", "too long");
  try {
    return verifyParts(partsOf(bytes));
  } catch (cause) {
    if (cause instanceof CmsError) throw cause;
    const isDamaged = cause instanceof CertificateFileError || (cause as { code?: unknown }).code !== undefined;
    if (!isDamaged) throw cause;
    throw new CmsError("malformed", "not CMS", { cause });
  }
}

/**
 * Whether one of some authorities signed the certificate of a message, itself or by an authority whose certificate is in
 * the message. Dates are not compared: Apple's authority for devices ended in 2014 and signs until today, and Apple asks to
 * ignore them.
 */
export function isIssuedBy({ signer, certificates }: VerifiedCms, authorities: readonly X509Certificate[]): boolean {
  let current = signer;
  for (let depth = 0; depth < MAX_CERTIFICATES; depth += 1) {
    const isSigned = (issuer: X509Certificate) => current.checkIssued(issuer) && current.verify(issuer.publicKey);
    if (authorities.some(isSigned)) return true;
    const next = certificates.find((one) => one.ca && one.fingerprint256 !== current.fingerprint256 && isSigned(one));
    if (!next) return false;
    current = next;
  }
  return false;
}
