import type { SecureCertificate } from "@/lib/features/certificates/schema";
import type { CertificateFacts } from "./use-certificate-file";

/** What is stored of a certificate's file. */
export function factsOf(stored: SecureCertificate): CertificateFacts {
  const { subject, issuer, expirationDate, sha256, hasPrivateKey, chainLength } = stored;
  return {
    opened: chainLength !== null,
    subject: subject ?? undefined,
    issuer: issuer ?? undefined,
    expirationDate: chainLength !== 0 && expirationDate ? new Date(expirationDate) : undefined,
    sha256,
    hasPrivateKey: hasPrivateKey ?? false,
    chainLength: chainLength ?? 0,
  };
}

/** Whether the expiration date has to be entered, because the file, such as a private key alone, contains none. */
export function needsDate(facts: CertificateFacts | null): boolean {
  return facts?.opened === true && facts.expirationDate === undefined;
}
