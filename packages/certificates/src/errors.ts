/** The reasons for which a certificate file is refused. */
export const CERTIFICATE_FILE_ERRORS = [
  "invalid_format",
  "java_keystore",
  "wrong_password",
  "read_error",
  "unsupported_encryption",
  "too_large",
] as const;

/** A stable code for why a certificate file is refused. */
export type CertificateFileErrorReason = (typeof CERTIFICATE_FILE_ERRORS)[number];

/**
 * The refusal of a certificate file.
 *
 * - `invalid_format`: it is none of the formats, or has neither a certificate nor a key
 * - `java_keystore`: it is a keystore of Java in the format JCEKS, which has to be converted to PKCS#12
 * - `wrong_password`: it is encrypted, and the given password does not open it
 * - `read_error`: it is one of the formats, but damaged, or over one of the `limits`
 * - `unsupported_encryption`: it is encrypted by an algorithm that the package does not know
 * - `too_large`: it has more than `limits.MAX_FILE_BYTES`
 *
 * The application translates `reason` for its users; `message` is for developers and has no part of the file.
 */
export class CertificateFileError extends Error {
  override readonly name = "CertificateFileError";

  constructor(
    readonly reason: CertificateFileErrorReason,
    detail?: string,
    options?: ErrorOptions,
  ) {
    super(detail ? `${reason}: ${detail}` : reason, options);
  }
}
