import { BasicConstraints, Certificate, id_ce_basicConstraints } from "@peculiar/asn1-x509";
import { type Asn1, parseAsn1 } from "./encoding/asn1";
import { CertificateFileError } from "./errors";
import { publicKeyAlgorithm } from "./key-algorithm";
import { MAX_SERIAL_NUMBER_BYTES } from "./limits";
import { formatName } from "./name";
import type { Work } from "./work";

/** What is read of an X.509 certificate (RFC 5280). */
export interface CertificateFacts {
  subject: string;
  issuer: string;
  serialNumber: string;
  keyAlgorithm: string;
  notAfter: Date;
  isAuthority: boolean;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isAuthority(extensions: Certificate["tbsCertificate"]["extensions"], work: Work): boolean {
  const extension = extensions?.find(({ extnID }) => extnID === id_ce_basicConstraints);
  if (!extension) return false;
  return parseAsn1(new Uint8Array(extension.extnValue.buffer), work).as(BasicConstraints).cA;
}

/**
 * Reads a certificate. Its signature is not verified.
 * @throws CertificateFileError read_error
 */
export function readCertificate(certificate: Asn1, work: Work): CertificateFacts {
  const { tbsCertificate } = certificate.as(Certificate);
  const { subject, issuer, serialNumber, validity, extensions } = tbsCertificate;
  if (serialNumber.byteLength > MAX_SERIAL_NUMBER_BYTES) {
    throw new CertificateFileError("read_error", "the serial number is too long");
  }
  const notAfter = validity.notAfter.getTime();
  if (Number.isNaN(notAfter.getTime())) throw new CertificateFileError("read_error", "the end of validity is invalid");
  const fields = certificate.child(0).children;
  // version is optional; then follow serial number, signature, issuer, validity, subject, key.
  const publicKeyInfo = fields[fields[0]?.isContext(0) ? 6 : 5] as Asn1;
  return {
    subject: formatName(subject),
    issuer: formatName(issuer),
    serialNumber: toHex(new Uint8Array(serialNumber)).replace(/^(00)+(?=..)/, ""),
    keyAlgorithm: publicKeyAlgorithm(publicKeyInfo, work),
    notAfter,
    isAuthority: isAuthority(extensions, work),
  };
}

/** The certificate that the others of the file belong to: the one that none of them was issued by. */
export function endEntity(certificates: readonly CertificateFacts[]): CertificateFacts | undefined {
  const issuers = new Set(certificates.filter(({ subject, issuer }) => subject !== issuer).map(({ issuer }) => issuer));
  const ends = certificates.filter(({ subject }) => !issuers.has(subject));
  return ends.find((one) => !one.isAuthority) ?? ends[0] ?? certificates[0];
}
