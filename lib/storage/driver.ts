import type { Readable } from "node:stream";
import type { ByteStream } from "@/lib/http/chunks";

/** A part of a multipart upload that the store holds. */
export interface StoredPart {
  /** 1 to 10,000. */
  number: number;
  /** Opaque, without quotation marks. */
  etag: string;
  /** Bytes. */
  size: number;
}

/** The facts of a complete object. */
export interface StoredObject {
  /** Bytes. */
  size: number;
  /** Lower-case hex, computed by this server from the bytes. */
  sha256: string;
}

/** How a presigned download must present itself to the browser. */
export interface PresentedAs {
  /** A complete RFC 6266 Content-Disposition value. */
  contentDisposition: string;
  contentType: string;
}

/**
 * Stands for the etag of each part of an upload whose object exists already: it was joined, but the caller got no
 * answer. The parts themselves no longer exist.
 */
export const JOINED = "joined";

/** The longest that a presigned download may stay open, in seconds. */
export const MAX_PRESIGNED_GET_SECONDS = 300;

/**
 * The store of the bytes. The console creates the keys (`installers/<uuid>`), never a caller, and uses each for one
 * object. Every method throws StorageError: `unavailable` (not reachable, slow, an unexpected answer), `full`,
 * `missing`. Errors of the caller's own body or signal are thrown unchanged; a malformed key or impossible range is a
 * TypeError or RangeError.
 */
export interface StorageDriver {
  readonly name: "disk" | "s3";
  /** Creates the folder or bucket if it is missing; called once at the start. */
  prepare(): Promise<void>;
  /** Lets pages of an origin send files directly, for a store with its own address. */
  ensureOrigin?(origin: string): Promise<"kept" | "set" | "unsupported">;
  /**
   * Stores a stream under a key, whole or not at all, and resolves once it is durable. Stops with `too_large` as soon
   * as more than `maxBytes` have arrived; a failed put leaves nothing behind.
   * @param options.expectedBytes announced by the sender, so it may be wrong: a store with a limited room refuses with
   *   `full` before the first byte
   * @param options.isPatient whether the bytes belong to something that has arrived already, so that a slow store has more time
   */
  put(
    key: string,
    body: ByteStream,
    options: {
      contentType: string;
      maxBytes: number;
      expectedBytes?: number;
      signal?: AbortSignal;
      isPatient?: boolean;
    },
  ): Promise<StoredObject>;
  /** The object's size in bytes, or null if there is none. */
  head(key: string): Promise<{ size: number } | null>;
  /**
   * The bytes from `start` to `end`, both inclusive; all without a range. A range that is not completely within the
   * object is `missing`. If the store fails while the object is read, the stream ends with a StorageError.
   * @param options.isPatient as for `put`: nobody waits for the first byte
   */
  get(key: string, range?: { start: number; end: number }, options?: { isPatient?: boolean }): Promise<Readable>;
  /** Removes an object. It is not an error if the object does not exist. */
  delete(key: string): Promise<void>;
  /** Every key that begins with a prefix, with its last change, page by page, for the sweeper; in no order. */
  list(prefix: string): AsyncIterable<{ key: string; size: number; lastModified: Date }>;
  /** A URL with which anyone can download the object, for at most 300 seconds; null if clients cannot reach the store (disk). */
  presignGet(key: string, presented: PresentedAs, seconds: number): Promise<string | null>;

  /**
   * Begins a multipart upload and returns the store's own ID for it. Each part has `partSize` bytes, except the last
   * one, which has the rest.
   * @param upload.owner the owner of the upload: a store that reserves room divides it between owners
   */
  createMultipart(
    key: string,
    upload: { contentType: string; size: number; partSize: number; owner?: string },
  ): Promise<string>;
  /** A URL to PUT one part of exactly its length to; null if parts are sent through this server (disk). */
  presignPart(key: string, storeUploadId: string, number: number, seconds: number): Promise<string | null>;
  /**
   * Stores one part durably. A body of another length than the part is `invalid_parts`. A part with the same number
   * replaces the earlier one; of two at the same time, the later one wins. A part that fails has not arrived.
   * @param options.requestId orders the requests for a part by their arrival (UUID version 7). A request that is handled after
   *   a later one is `invalid_parts`: its client has sent the part again
   */
  putPart(
    key: string,
    storeUploadId: string,
    number: number,
    body: ByteStream,
    options?: { signal?: AbortSignal; requestId?: string },
  ): Promise<StoredPart>;
  /** The parts that have arrived completely, by number. */
  listParts(key: string, storeUploadId: string): Promise<StoredPart[]>;
  /**
   * Joins the parts, all of them in order, into the object. If the store does not have all parts completely with these
   * etags, they are refused with `invalid_parts`. The upload continues, unless the store finds an incomplete part while
   * it joins them and drops the upload. Completing again returns the same result, also with JOINED for the etags.
   * `missing` means that the store has neither the parts nor the object, or that another caller is joining them.
   * @param options.takeOver no other caller is joining the parts: a join that was interrupted because the store was
   *   killed is repeated
   */
  completeMultipart(
    key: string,
    storeUploadId: string,
    parts: readonly { number: number; etag: string }[],
    options?: { takeOver?: boolean },
  ): Promise<StoredObject>;
  /** Removes an upload with its parts. It is not an error if the upload does not exist. */
  abortMultipart(key: string, storeUploadId: string): Promise<void>;
  /**
   * Removes unfinished puts and uploads below a prefix that have not changed since `before`, for the sweeper.
   * @returns how many
   */
  sweepUnfinished(prefix: string, before: Date): Promise<number>;
  /** The room on the file system of the store; only for a store on a disk of this machine. */
  space?(): Promise<StoreSpace>;
  /** Resolves when the store answers. The readiness check calls it. */
  ping(): Promise<void>;
  /**
   * Keeps room for other data on the file system of the store while the process runs; only for a store on a disk of
   * this machine.
   * @param tell is called when that room is released or reserved again, or the check fails
   */
  watchSpace?(tell: (event: SpaceEvent) => void): void;
}

/** The room on the store's file system, in bytes. */
export interface StoreSpace {
  freeBytes: number;
  /** What uploads leave free. */
  reserveBytes: number;
}

/** A change of the room that is kept for the database. */
export type SpaceEvent = { kind: "released" | "restored"; freeBytes: number } | { kind: "failed"; error: unknown };

type StorageFailure = "unavailable" | "full" | "missing" | "too_large" | "invalid_parts";

const IS_STORAGE_ERROR = Symbol.for("slipway.StorageError");

/** A failure of the store. Its cause, which may have internal details, is for the log only. */
export class StorageError extends Error {
  readonly [IS_STORAGE_ERROR] = true;
  /** The HTTP status of the store's answer if the failure is `unavailable`; null if there was no answer. */
  readonly status: number | null;

  constructor(
    readonly failure: StorageFailure,
    { status = null, ...options }: { cause?: unknown; status?: number | null } = {},
  ) {
    super(`storage: ${failure}`, options);
    this.name = "StorageError";
    this.status = status;
  }

  /** Whether the store does not accept the credentials, or does not allow them what was asked for. */
  get refusesAccess(): boolean {
    return this.status === 401 || this.status === 403;
  }

  /**
   * True for the errors of every copy of this class: a bundler includes a copy in routes, pages and the start, and the
   * store of the process throws errors of the copy that created it.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && IS_STORAGE_ERROR in value;
  }
}

/** Path segments without a leading dot; short enough that a file name can hold the whole key and more. */
const KEY = /^(?=.{1,150}$)[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** @throws TypeError if a key is not valid: no `..`, no empty or hidden segment, at most 150 characters */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError("malformed storage key");
}

/** @throws TypeError if no key can begin with the prefix; the empty prefix matches all keys */
export function assertPrefix(prefix: string): void {
  if (prefix !== "") assertKey(prefix.replace(/\/$/, ""));
}

/** @throws RangeError unless `start` and `end` are whole numbers with 0 <= start <= end */
export function assertRange(range: { start: number; end: number } | undefined): void {
  if (!range) return;
  if (
    !Number.isSafeInteger(range.start) ||
    !Number.isSafeInteger(range.end) ||
    range.start < 0 ||
    range.end < range.start
  ) {
    throw new RangeError("malformed byte range");
  }
}
