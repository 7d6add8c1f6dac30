import { S3ServiceException } from "@aws-sdk/client-s3";
import { StorageError } from "../driver";

const MISSING = new Set(["NoSuchKey", "NotFound", "NoSuchUpload", "InvalidRange"]);
const FULL = new Set(["InsufficientStorage", "QuotaExceeded", "XMinioStorageFull"]);
const INVALID_PARTS = new Set(["InvalidPart", "InvalidPartOrder", "EntityTooSmall"]);
const INSUFFICIENT_STORAGE = 507;

/** What a failed call means to the caller. The cause holds no header, no signature and no answer of the store. */
export function s3Error(operation: string, error: unknown, configuredRegion?: string): StorageError {
  if (error instanceof StorageError) return error;
  const name = error instanceof Error ? error.name : "Error";
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  const message = error instanceof Error ? error.message.slice(0, 200) : "";
  const region = status !== undefined && status < 404 ? expectedRegion(error) : undefined;
  // A store tells its region with each refusal, also if it is the right one.
  const hint =
    configuredRegion === undefined || region === undefined || region === configuredRegion
      ? ""
      : ` (set S3_REGION to ${region})`;
  const cause = new Error(`S3 ${operation}: ${name}${status ? ` (${status})` : ""}: ${message}${hint}`);
  if (MISSING.has(name)) return new StorageError("missing", { cause });
  if (INVALID_PARTS.has(name)) return new StorageError("invalid_parts", { cause });
  if (FULL.has(name) || status === INSUFFICIENT_STORAGE) return new StorageError("full", { cause });
  return new StorageError("unavailable", { cause, status: status ?? null });
}

/** The store answered, but not as S3 does. */
export function unexpectedAnswer(what: string): StorageError {
  return new StorageError("unavailable", { cause: new Error(`unexpected answer of S3: ${what}`), status: 200 });
}

/** An entity tag without its marks. A proxy that compresses makes it a weak one (RFC 9110, 8.8.3), of the same bytes. */
export function bareEtag(etag: string): string {
  return etag.replace(/^(?:W\/)?"(.*)"$/, "$1");
}

/** The entity tag of an answer, without its marks. */
export function unquoted(etag: string | undefined): string {
  const value = etag && bareEtag(etag);
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

/** The statuses after which the same request may succeed: the store is busy, or one of its parts failed. */
const BUSY_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** Codes of S3 for the same, which may come with another status. */
const BUSY_CODES =
  /^(SlowDown|InternalError|ServiceUnavailable|RequestTimeout|RequestTimeTooSkewed|Throttling|OperationAborted)/;
const NETWORK_CODES = new Set(["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "EAI_AGAIN"]);

/** Whether the store answered that it is busy, or failed inside. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  return BUSY_STATUSES.has(error.$metadata.httpStatusCode ?? 0) || BUSY_CODES.test(error.name);
}

/** Whether the connection to the store failed, so that another one may not. */
export function isLostConnection(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  return NETWORK_CODES.has(code ?? "") || name === "TimeoutError";
}

/** The region that the bucket is in, as an answer with an error tells; undefined if it does not. */
export function expectedRegion(error: unknown): string | undefined {
  if (!(error instanceof S3ServiceException)) return undefined;
  const region = (error as { Region?: unknown }).Region ?? error.$response?.headers["x-amz-bucket-region"];
  return typeof region === "string" && /^[\w-]{1,40}$/.test(region) ? region : undefined;
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
