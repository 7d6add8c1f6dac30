import "server-only";
import type { CertificateFile } from "@slipway/certificates";
import { expirationOf, type GivenFacts, requireFacts } from "@/lib/features/certificates/rules";
import type { CertificateDetails } from "@/lib/features/configuration/data/entries";
import type { CertificateRow } from "../data";
import { readCertificate } from "./reading";

/** JSON around a file of 1 MiB in base64. */
export const MAX_CERTIFICATE_JSON_BYTES = 1_500_000;

/** A file with what its certificate's row says of it. */
export interface ReadCertificate {
  value: Uint8Array;
  password: string | null;
  details: CertificateDetails;
}

/** What an encrypted file does not tell is unknown, not missing. */
function detailsOf(file: CertificateFile, fileName: string, expirationDate: string | null): CertificateDetails {
  const { format, sha256, opened, subject, issuer, serialNumber, keyAlgorithm, hasPrivateKey, chainLength } = file;
  return {
    fileName,
    format,
    sha256,
    expirationDate: expirationOf(file, expirationDate),
    subject: subject ?? null,
    issuer: issuer ?? null,
    serialNumber: serialNumber ?? null,
    keyAlgorithm: keyAlgorithm ?? null,
    hasPrivateKey: opened || hasPrivateKey ? hasPrivateKey : null,
    chainLength: opened || chainLength > 0 ? chainLength : null,
  };
}

/**
 * Reads a file that is to be stored.
 * @param given what the caller says of the file; a date counts where the file tells none
 * @throws ApiError file_too_large, invalid_certificate, validation_failed where a given fact differs from the file's,
 *   unavailable; the signal's reason
 */
export async function readForStorage(
  file: { fileName: string; value: Uint8Array; password: string | null },
  given: GivenFacts,
  caller: { id: string; signal?: AbortSignal },
): Promise<ReadCertificate> {
  const { fileName, value, password } = file;
  const read = await readCertificate({ bytes: value, fileName, password: password ?? undefined }, caller);
  requireFacts(read, given);
  return { value, password, details: detailsOf(read, fileName, given.expirationDate ?? null) };
}

const HIDDEN = "hidden";

/** What an audit record says of a certificate; of its file only the hash, of its password only that there is one. */
export function auditedFacts(row: CertificateRow) {
  const { environmentId, name, key, fileName, format, sha256, status, version } = row;
  const expirationDate = row.expirationDate?.toISOString() ?? null;
  return { environmentId, name, key, fileName, format, sha256, expirationDate, status, version };
}

/** That a password was set, changed or removed. */
export function auditedPassword(
  before: string | null,
  after: string | null,
): { password?: [string | null, string | null] } {
  if (before === after) return {};
  return { password: [before === null ? null : HIDDEN, after === null ? null : HIDDEN] };
}
