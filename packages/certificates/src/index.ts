export { CERTIFICATE_FILE_ERRORS, CertificateFileError, type CertificateFileErrorReason } from "./errors";
export { daysUntilExpiry, EXPIRY_STEPS, type ExpiryStep, expiryHorizon, expiryStep } from "./expiry";
export * as limits from "./limits";
export { type ReadOptions, readCertificateFile } from "./read";
export {
  CERTIFICATE_EXTENSIONS,
  CERTIFICATE_FORMATS,
  type CertificateFile,
  type CertificateFormat,
  KEYSTORE_FORMATS,
} from "./types";
