import { createHash } from "node:crypto";
import { MAX_PARTS } from "@/lib/kernel/upload-limits";
import { JOINED, StorageError } from "./driver";

/**
 * A multipart upload's id, `<part size>.<size>.<the store's own id>` with both sizes in base 36: a store can derive the
 * length of each part from the ID alone. When the parts are to be joined, the etag of the whole object is added after a
 * space.
 */
const UPLOAD_ID = /^(([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\x21-\x7e]{1,900}))(?: ([0-9a-f]{32}-\d{1,5}))?$/;

export interface UploadShape {
  /** The same for the whole life of the upload. */
  id: string;
  /** Bytes. */
  size: number;
  /** Bytes of each part except the last one, which has the rest. */
  partSize: number;
  /** How many parts there are. */
  count: number;
  /** The store's own id. */
  nativeId: string;
  /** The etag of the whole, once its parts are to be joined. */
  joinedEtag: string | null;
}

/** The number of parts of an upload of `size` bytes, at least one. @throws RangeError if that is impossible */
export function partCount(size: number, partSize: number): number {
  if (!Number.isSafeInteger(size) || size < 1 || !Number.isSafeInteger(partSize) || partSize < 1) {
    throw new RangeError("malformed upload size");
  }
  const count = Math.ceil(size / partSize);
  if (count > MAX_PARTS) throw new RangeError("more parts than an upload may have");
  return count;
}

export function formatUploadId(size: number, partSize: number, nativeId: string): string {
  return `${partSize.toString(36)}.${size.toString(36)}.${nativeId}`;
}

/**
 * The id of an upload whose parts are to be joined. It is stored before the store is asked to join the parts, so that
 * it is known afterwards that they may have been joined, and which ones.
 */
export function joiningUploadId(id: string, parts: readonly { etag: string }[]): string {
  const [base] = id.split(" ");
  const isKnown = parts.some(({ etag }) => etag !== JOINED);
  return isBeingJoined(id) && !isKnown ? id : `${base} ${joinedEtag(parts)}`;
}

/** Whether somebody has asked the store to join the parts. */
export function isBeingJoined(id: string): boolean {
  return id.includes(" ");
}

/** Whether both are ids of one upload. */
export function isSameUpload(id: string, other: string): boolean {
  return id.split(" ")[0] === other.split(" ")[0];
}

/** The etag that S3 gives an object joined of parts whose etags are MD5s: the MD5 of those, and their number. */
export function joinedEtag(parts: readonly { etag: string }[]): string {
  const digests = Buffer.from(parts.map(({ etag }) => etag).join(""), "hex");
  return `${createHash("md5").update(digests).digest("hex")}-${parts.length}`;
}

/** @throws StorageError missing if no upload can have this ID */
export function parseUploadId(text: string): UploadShape {
  const match = UPLOAD_ID.exec(text);
  if (!match) throw new StorageError("missing");
  const [, id, partSizeText, sizeText, nativeId] = match as unknown as [string, string, string, string, string];
  const partSize = Number.parseInt(partSizeText, 36);
  const size = Number.parseInt(sizeText, 36);
  try {
    return { id, size, partSize, count: partCount(size, partSize), nativeId, joinedEtag: match[5] ?? null };
  } catch (cause) {
    throw new StorageError("missing", { cause });
  }
}

/** Bytes that the part with this number has. @throws StorageError invalid_parts if there is no such part */
export function partLength({ size, partSize, count }: UploadShape, number: number): number {
  if (!Number.isInteger(number) || number < 1 || number > count) throw new StorageError("invalid_parts");
  return number < count ? partSize : size - (count - 1) * partSize;
}
