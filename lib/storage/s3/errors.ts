import { S3ServiceException } from "@aws-sdk/client-s3";
import { StorageError } from "../driver";

const MISSING = new Set(["NoSuchKey", "NotFound", "NoSuchUpload", "InvalidRange"]);
const FULL = new Set(["InsufficientStorage", "QuotaExceeded", "XMinioStorageFull"]);
const INVALID_PARTS = new Set(["InvalidPart", "InvalidPartOrder", "EntityTooSmall"]);
const INSUFFICIENT_STORAGE = 507;

/** What a failed call means to the caller. The cause holds no header, no signature and no answer of the store. */
export function s3Error(operation: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const name = error instanceof Error ? error.name : "Error";
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  const message = error instanceof Error ? error.message.slice(0, 200) : "";
  const cause = new Error(`S3 ${operation}: ${name}${status ? ` (${status})` : ""}: ${message}`);
  if (MISSING.has(name)) return new StorageError("missing", { cause });
  if (INVALID_PARTS.has(name)) return new StorageError("invalid_parts", { cause });
  if (FULL.has(name) || status === INSUFFICIENT_STORAGE) return new StorageError("full", { cause });
  return new StorageError("unavailable", { cause, status: status ?? null });
}

/** The store answered, but not as S3 does. */
export function unexpectedAnswer(what: string): StorageError {
  return new StorageError("unavailable", { cause: new Error(`unexpected answer of S3: ${what}`), status: 200 });
}

export function unquoted(etag: string | undefined): string {
  const value = etag?.replace(/^"(.*)"$/, "$1");
  if (!value) throw unexpectedAnswer("no etag");
  return value;
}

export function isMissing(error: unknown): boolean {
  return error instanceof StorageError && error.failure === "missing";
}

/** Whether the store refused the request or answered unexpectedly. An internal error of the store does not count. */
export function isRefusal(error: unknown): boolean {
  return error instanceof StorageError && error.status !== null && error.status < 500;
}

export function isUnknownCall(error: unknown): boolean {
  return error instanceof StorageError && /NotImplemented|\(501\)|\(405\)/.test(String(error.cause));
}

/** The answer; null if the object or upload does not exist. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
