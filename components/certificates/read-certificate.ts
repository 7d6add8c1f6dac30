import type { CertificateFile, CertificateFileErrorReason } from "@slipway/certificates";

/** What a certificate file tells, or why it is refused. */
type CertificateReading = { ok: true; file: CertificateFile } | { ok: false; reason: CertificateFileErrorReason };

/** Reads a certificate file in the browser. The reader is loaded with the first file. */
export async function readCertificate(
  bytes: Uint8Array,
  options: { fileName: string; password?: string },
): Promise<CertificateReading> {
  const { CertificateFileError, readCertificateFile } = await import("@slipway/certificates");
  try {
    return { ok: true, file: await readCertificateFile(bytes, options) };
  } catch (error) {
    if (!(error instanceof CertificateFileError)) throw error;
    return { ok: false, reason: error.reason };
  }
}
