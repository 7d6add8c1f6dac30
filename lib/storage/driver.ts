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

/** What is known of a whole object. */
export interface StoredObject {
  /** Bytes. */
  size: number;
  /** Lower-case hex, taken by this server over the bytes themselves. */
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
 * Where the bytes live. Keys are made by us (`installers/<uuid>`), never by a caller, and used for one object.
 * Every method throws StorageError: `unavailable` (not reachable, slow, an unexpected answer), `full`, `missing`. What a caller's
 * own body or signal throws passes as it is; a malformed key or impossible range is a TypeError or RangeError.
 */
export interface StorageDriver {
  readonly name: "disk" | "s3";
  /** Makes the folder or bucket where it is missing; called once at the start. */
  prepare(): Promise<void>;
  /** Lets pages of an origin send files directly, for a store of its own address. */
  ensureOrigin?(origin: string): Promise<"kept" | "set" | "unsupported">;
  /**
   * Stores a stream under a key, whole or not at all, and resolves once it is durable.
   * Stops with `too_large` as soon as more than `maxBytes` came; a failed put leaves nothing behind.
   * @param options.expectedBytes announced by the sender and not to be relied on: a store that knows its room refuses
   *   with `full` before the first byte
   */
  put(
    key: string,
    body: ByteStream,
    options: { contentType: string; maxBytes: number; expectedBytes?: number; signal?: AbortSignal },
  ): Promise<StoredObject>;
  /** The object's size in bytes, or null if there is none. */
  head(key: string): Promise<{ size: number } | null>;
  /**
   * The bytes from `start` to `end`, both inclusive; all without a range. A range that the object does not hold
   * whole is `missing`. A store that fails while the stream flows fails the stream with a StorageError.
   */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes an object; removing one that is not there is no error. */
  delete(key: string): Promise<void>;
  /** Every key that begins with a prefix, with its last change, page by page, for the sweeper; in no order. */
  list(prefix: string): AsyncIterable<{ key: string; size: number; lastModified: Date }>;
  /** A URL with which anyone can download the object, for at most 300 seconds; null if clients cannot reach the store (disk). */
  presignGet(key: string, presented: PresentedAs, seconds: number): Promise<string | null>;

  /**
   * Begins a multipart upload and gives the store's own id for it. Each part has `partSize` bytes but the last,
   * which has the rest.
   * @param upload.owner who begins it: a store that reserves room divides it between owners
   */
  createMultipart(
    key: string,
    upload: { contentType: string; size: number; partSize: number; owner?: string },
  ): Promise<string>;
  /** A URL to PUT one part to, of just its length; null where parts go through this server (disk). */
  presignPart(key: string, storeUploadId: string, number: number, seconds: number): Promise<string | null>;
  /**
   * Stores one part, durably. A body of another length than the part's is
   * `invalid_parts`. The same number again replaces the part; where two are under way at once the later one wins. A
   * part that fails has not arrived.
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
  /** The parts that have arrived whole, by number. */
  listParts(key: string, storeUploadId: string): Promise<StoredPart[]>;
  /**
   * Joins the parts, all of them in order, into the object. Parts that the store does not hold whole with these etags
   * are refused with `invalid_parts`: the upload goes on, unless the store only then shows that it holds a part torn,
   * and forgets the upload. Completing again gives the same answer, with JOINED for the etags too. `missing` means that
   * the store has neither the parts nor the object, or that somebody else is joining them.
   * @param options.takeOver nobody else is joining the parts: a join that the store did not survive is done again
   */
  completeMultipart(
    key: string,
    storeUploadId: string,
    parts: readonly { number: number; etag: string }[],
    options?: { takeOver?: boolean },
  ): Promise<StoredObject>;
  /** Forgets an upload with its parts; one that is not there is no error. */
  abortMultipart(key: string, storeUploadId: string): Promise<void>;
  /**
   * Removes what puts and uploads below a prefix left unfinished and nobody has touched since `before`, for the
   * sweeper. @returns how many
   */
  sweepUnfinished(prefix: string, before: Date): Promise<number>;
  /** The room on the store's file system; only there where the store is on a disk of this machine. */
  space?(): Promise<StoreSpace>;
  /** Resolves when the store answers; the readiness check. */
  ping(): Promise<void>;
  /**
   * Keeps room for what else lives on the store's file system, for as long as the process runs; only there where the
   * store is on a disk of this machine.
   * @param tell is called when that room is given up, taken back, or cannot be looked after
   */
  watchSpace?(tell: (event: SpaceEvent) => void): void;
}

/** The room on the store's file system, in bytes. */
export interface StoreSpace {
  freeBytes: number;
  /** What uploads leave free. */
  reserveBytes: number;
}

/** What became of the room that is kept for the database. */
export type SpaceEvent = { kind: "released" | "restored"; freeBytes: number } | { kind: "failed"; error: unknown };

type StorageFailure = "unavailable" | "full" | "missing" | "too_large" | "invalid_parts";

const IS_STORAGE_ERROR = Symbol.for("slipway.StorageError");

/** A failure of the store, without its internals: the cause is for the log alone. */
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
   * True for the errors of every copy of this class: a bundler gives routes, pages and the start one each, and the one
   * store of the process throws those of the copy that created it.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && IS_STORAGE_ERROR in value;
  }
}

/** Path segments without a leading dot; short enough that a file name can hold the whole key and more. */
const KEY = /^(?=.{1,150}$)[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** @throws TypeError where a key is not one of ours: no `..`, no empty or hidden segment, at most 150 characters */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError("malformed storage key");
}

/** @throws TypeError where no key could begin like this; the empty prefix is that of all keys */
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
