import type { Contents } from "./contents";
import type { Asn1 } from "./encoding/asn1";

export const SIGNED_DATA = "1.2.840.113549.1.7.2";

/**
 * Adds the certificates of a ContentInfo with SignedData (PKCS#7, RFC 5652).
 * @throws CertificateFileError
 */
export function readPkcs7(contentInfo: Asn1, contents: Contents): void {
  const signedData = contentInfo.child(1).child(0);
  // version, digest algorithms and content precede; CRLs and signers follow.
  const certificates = signedData.children.slice(3).find((part) => part.isContext(0));
  // The tags [0] to [3] are certificates of older forms.
  for (const certificate of certificates?.children ?? []) {
    if (certificate.isSequence) contents.addCertificate(certificate);
  }
}
