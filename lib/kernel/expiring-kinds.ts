/**
 * What ends: the provisioning profile and the signing certificate of a latest release, a certificate file, one whose key signs the APKs
 * of app bundles, an API token, the license, the certificate of the console's address, and the certificate that signs the profiles
 * by which devices are registered.
 */
export const EXPIRING_KINDS = [
  "profile",
  "signing_certificate",
  "certificate",
  "signing_key",
  "token",
  "license",
  "tls",
  "enrolment",
] as const;
export type ExpiringKind = (typeof EXPIRING_KINDS)[number];
