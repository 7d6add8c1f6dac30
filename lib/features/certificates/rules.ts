import type { CertificateFile } from "@slipway/certificates";
import { invalidField } from "@/lib/kernel/errors";

/** What a caller says of a file. */
export interface GivenFacts {
  sha256?: string;
  /** ISO 8601: an instant, or a day in UTC. */
  expirationDate?: string | null;
}

const DAY_LENGTH = "YYYY-MM-DD".length;

/** Certificates have whole seconds; a day agrees with each of its instants. */
function agrees(given: string, actual: Date): boolean {
  if (given.length === DAY_LENGTH) return actual.toISOString().startsWith(given);
  return Math.floor(Date.parse(given) / 1_000) === Math.floor(actual.getTime() / 1_000);
}

/** @throws ApiError validation_failed, naming both values, for a given fact that differs from the file's */
export function requireFacts(file: CertificateFile, { sha256, expirationDate }: GivenFacts): void {
  if (sha256 && sha256.toLowerCase() !== file.sha256) {
    throw invalidField("sha256", "certificateHash", { given: sha256.toLowerCase(), actual: file.sha256 });
  }
  if (expirationDate && file.expirationDate && !agrees(expirationDate, file.expirationDate)) {
    const actual = file.expirationDate.toISOString();
    throw invalidField("expirationDate", "certificateExpiration", { given: expirationDate, actual });
  }
}

/** The file's date; the given one counts for a file that tells none. */
export function expirationOf(file: CertificateFile, given: string | null): string | null {
  if (file.expirationDate) return file.expirationDate.toISOString();
  return given === null ? null : new Date(given).toISOString();
}
