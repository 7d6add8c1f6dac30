import { MAX_PARTS } from "@/lib/kernel/upload-limits";
import { StorageError } from "./driver";

/** A multipart upload's id, `<part size>.<size>.<the store's own id>` with both sizes in base 36: a store that knows
 * nothing of an upload but its id still knows how long each of its parts must be. */
const UPLOAD_ID = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\x21-\x7e]{1,900})$/;

export interface UploadShape {
  /** Bytes. */
  size: number;
  /** Bytes of each part but the last, which has the rest. */
  partSize: number;
  /** How many parts there are. */
  count: number;
  /** The store's own id. */
  nativeId: string;
}

/** How many parts an upload of `size` bytes, at least one, has. @throws RangeError where that is impossible */
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

/** @throws StorageError missing where no upload could have this id */
export function parseUploadId(id: string): UploadShape {
  const match = UPLOAD_ID.exec(id);
  if (!match) throw new StorageError("missing");
  const partSize = Number.parseInt(match[1] as string, 36);
  const size = Number.parseInt(match[2] as string, 36);
  try {
    return { size, partSize, count: partCount(size, partSize), nativeId: match[3] as string };
  } catch (cause) {
    throw new StorageError("missing", { cause });
  }
}

/** Bytes that the part with this number has. @throws StorageError invalid_parts where there is no such part */
export function partLength({ size, partSize, count }: UploadShape, number: number): number {
  if (!Number.isInteger(number) || number < 1 || number > count) throw new StorageError("invalid_parts");
  return number < count ? partSize : size - (count - 1) * partSize;
}
