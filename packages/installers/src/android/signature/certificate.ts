import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { DER_TAG, parseDer, sequenceOf } from "../../encoding/der";
import { type PublicKey, parsePublicKey } from "./public-key";

/** The parts of an X.509 certificate (RFC 5280) that identify a signer. */
export interface Certificate {
  der: Uint8Array;
  /** SHA-256 of the DER in lower-case hex. */
  sha256: string;
  /** The encoded issuer and serial number, by which PKCS #7 refers to the certificate. */
  issuer: Uint8Array;
  serialNumber: Uint8Array;
  /** Null when the algorithm is not one that signs Android apps. */
  publicKey: PublicKey | null;
}

const EXPLICIT_VERSION = 0x80;

/** Parses a certificate in DER; null when it is malformed. Android ignores its signature and validity dates. */
export function parseCertificate(der: Uint8Array): Certificate | null {
  const [tbs] = sequenceOf(parseDer(der));
  const fields = sequenceOf(tbs);
  // A certificate of version 1 has no version field.
  const first = fields[0]?.tag === EXPLICIT_VERSION ? 1 : 0;
  const [serialNumber, , issuer, , , subjectPublicKeyInfo] = fields.slice(first);
  if (
    serialNumber?.tag !== DER_TAG.integer ||
    issuer?.tag !== DER_TAG.sequence ||
    subjectPublicKeyInfo?.tag !== DER_TAG.sequence
  ) {
    return null;
  }
  return {
    der,
    sha256: bytesToHex(sha256(der)),
    issuer: issuer.encoded,
    serialNumber: serialNumber.contents,
    publicKey: parsePublicKey(subjectPublicKeyInfo.encoded),
  };
}
