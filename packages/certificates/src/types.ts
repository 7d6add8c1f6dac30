/** The formats, by the extensions of file names. */
export const CERTIFICATE_FORMATS = ["pem", "crt", "cer", "der", "p7b", "p7c", "p12", "pfx", "jks", "key"] as const;

/**
 * What the names of such files end with; Apple names a PKCS#8 key `.p8`, a signed profile is PKCS#7, and what Android Studio names
 * `.jks` or `.keystore` is PKCS#12 or, of former versions, JKS.
 */
export const CERTIFICATE_EXTENSIONS = [
  ...CERTIFICATE_FORMATS,
  "p8",
  "mobileprovision",
  "provisionprofile",
  "keystore",
] as const;

/** The formats that have keys with names, such as those that sign Android apps. */
export const KEYSTORE_FORMATS: readonly CertificateFormat[] = ["p12", "pfx", "jks"];

export type CertificateFormat = (typeof CERTIFICATE_FORMATS)[number];

/** A private key of a PKCS#12 file or a keystore of Java. */
export interface NamedKey {
  /** Its name in the file, else the number that Java gives it. */
  alias: string;
  /** Whether one of the passwords opens it. */
  opened: boolean;
}

/** The facts in a certificate file. A fact that the file does not contain is undefined. */
export interface CertificateFile {
  /** By the content. Where several extensions are usual for it, the one of the file's name. */
  format: CertificateFormat;
  /** Of the whole file, 64 lowercase hexadecimal digits. */
  sha256: string;
  /** False if parts are encrypted and no password was given: what they would tell is missing. */
  opened: boolean;
  hasPrivateKey: boolean;
  /** The number of certificates in the file. */
  chainLength: number;
  /** The private keys of PKCS#12 and JKS. */
  keys: readonly NamedKey[];
  /** The end-entity certificate's subject (RFC 4514). */
  subject?: string;
  /** The end-entity certificate's issuer (RFC 4514). */
  issuer?: string;
  /** The end-entity certificate's serial number, in lowercase hexadecimal digits. */
  serialNumber?: string;
  /** Of the end-entity certificate, else of the key: `RSA 2048`, `EC P-256`, `Ed25519`, or an object identifier. */
  keyAlgorithm?: string;
  /** The earliest end of validity of the certificates. */
  expirationDate?: Date;
}
