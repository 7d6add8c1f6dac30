import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { DER_TAG, parseDer, sequenceOf } from "../../encoding/der";
import { type PublicKey, parsePublicKey } from "./public-key";

/** What of an X.509 certificate (RFC 5280) decides who signed. */
export interface Certificate {
  der: Uint8Array;
  /** Lower-case hexadecimal SHA-256 of the DER. */
  sha256: string;
  /** The issuer's Name and the serial number as they are encoded, which together name the certificate in PKCS #7. */
  issuer: Uint8Array;
  serialNumber: Uint8Array;
  /** Null where its algorithm is not one that signs Android apps. */
  publicKey: PublicKey | null;
}

const EXPLICIT_VERSION = 0x80;

/** Reads a certificate in DER; null when it is none. Its own signature and dates do not count on Android. */
export function parseCertificate(der: Uint8Array): Certificate | null {
  const [tbs] = sequenceOf(parseDer(der));
  const fields = sequenceOf(tbs);
  // Version 1 leaves the version out.
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
