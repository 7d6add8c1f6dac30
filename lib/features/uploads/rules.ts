import { invalidField } from "@/lib/kernel/errors";
import { DAY_MS } from "@/lib/kernel/time";
import { MAX_PARTS } from "@/lib/kernel/upload-limits";

const MIB = 1024 * 1024;
const SMALLEST_PART = 8 * MIB;
const LARGEST_PART = 64 * MIB;
/** Enough parts that a failed one costs little, and few enough to list. */
const WANTED_PARTS = 1_000;

/** The largest file that parts can make up, in bytes. */
export const MAX_PARTS_BYTES = LARGEST_PART * MAX_PARTS;

/** How many uploads a user or a token may have open: begun, and neither published nor given up. */
export const MAX_OPEN_UPLOADS = 200;

/** How many files of the largest size the open uploads of a user or a token may announce together. */
const MAX_OPEN_LARGEST_FILES = 4;

/**
 * Bytes that the open uploads of a user or a token may announce together.
 * @param maxUploadBytes of one file
 */
export function maxOpenBytes(maxUploadBytes: number): number {
  return MAX_OPEN_LARGEST_FILES * maxUploadBytes;
}

/** How long an upload may take, and a finished one may wait to be published, in milliseconds. */
export const UPLOAD_MS = DAY_MS;

/**
 * The size of an upload's parts, the last one aside: small, so that at 1 Mbit/s each is through in about a minute,
 * until there would be too many.
 * @param size of the whole file, in bytes
 * @returns whole MiB between 8 and 64
 */
export function partSizeFor(size: number): number {
  const wanted = Math.ceil(size / WANTED_PARTS / MIB) * MIB;
  return Math.min(LARGEST_PART, Math.max(SMALLEST_PART, wanted));
}

/** Bytes that the part with this number has; undefined if there is no such part. */
export function partLength(upload: { size: number; partSize: number }, number: number): number | undefined {
  const before = (number - 1) * upload.partSize;
  return number >= 1 && before < upload.size ? Math.min(upload.partSize, upload.size - before) : undefined;
}

/** The numbers of an upload's parts: 1, 2, … */
export function partNumbers(upload: { size: number; partSize: number }): number[] {
  return Array.from({ length: Math.ceil(upload.size / upload.partSize) }, (_, index) => index + 1);
}

/**
 * The parts that a client says make up its file, in order. Entity tags may come in the quotation marks in which the
 * store sent them.
 * @throws ApiError validation_failed where one is missing, named twice or not one of the upload's
 */
export function orderedParts(
  upload: { size: number; partSize: number },
  parts: readonly { number: number; etag: string }[],
): { number: number; etag: string }[] {
  const numbers = partNumbers(upload);
  const ordered = parts.toSorted((a, b) => a.number - b.number);
  if (ordered.length !== numbers.length || ordered.some(({ number }, index) => number !== numbers[index])) {
    throw invalidField("parts", "uploadParts");
  }
  return ordered.map(({ number, etag }) => ({ number, etag: etag.replace(/^"(.*)"$/, "$1") }));
}
