import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import {
  type $Command,
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  S3Client,
  type S3ClientConfig,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from "@aws-sdk/client-s3";
import { assertKey, assertRange, StorageError, type StoredPart } from "../driver";
import { exactly, storedStream } from "./bodies";
import { isBusy, isLostConnection, s3Error, unexpectedAnswer, unlessMissing, unquoted } from "./errors";

/** The timeout of a request to the store with its retries. */
export const REQUEST_TIMEOUT_MS = 2_500;
/** The same for listing the parts that a complete upload consists of, before which nothing else is asked. */
const LIST_TIMEOUT_MS = 4_000;
/**
 * How long a store that has answered may be slow or busy while bytes are written that have arrived already. Their sender would have to
 * send all of them once more.
 */
const PATIENCE_MS = 20_000;
/** How often a request is sent over connections that are lost. */
const MAX_CONNECTIONS = 3;
/** The first pause before a request is repeated; it doubles up to the longest one. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/**
 * The timeout for removing what a failed call left, so that both together stay below 5 seconds. The sweeper removes what is not removed
 * by then.
 */
export const CLEANUP_TIMEOUT_MS = 750;
/** The timeout for joining the parts of an object, which takes minutes if it is large. */
const JOIN_TIMEOUT_MS = 300_000;
/** The lowest rate of a body, in bytes per millisecond (1 Mbit/s). */
export const MIN_BYTES_PER_MS = 125;
/** How long a download from the store may transfer nothing. */
const STALL_TIMEOUT_MS = 20_000;

export interface S3Options {
  /** `http(s)://host[:port]`, as this server reaches the store. */
  endpoint: string;
  /** The same for clients, in presigned URLs; by default the endpoint itself. */
  publicEndpoint?: string;
  region: string;
  /** A bucket that only Slipway uses. */
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
  /** How long the store may send nothing of an object while a reader waits, in milliseconds; 20 seconds by default. */
  stall?: number;
  /** How long the store may be slow or busy after it has answered, in milliseconds; 20 seconds by default. */
  patience?: number;
}

/** The pause before a request is repeated for the n-th time, in milliseconds: exponential, with jitter. */
function pauseMs(repetition: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (repetition - 1)) * (0.5 + Math.random() / 2);
}

interface SendOptions {
  /** Milliseconds until the store counts as unavailable. */
  timeoutMs?: number;
  /** Whether it has the time of `patience` once it has answered that it is busy. */
  isPatient?: boolean;
  signal?: AbortSignal;
}

/** An S3 bucket: what objects and uploads have in common. */
export class S3Bucket {
  readonly #client: S3Client;
  /** Signs only: its endpoint may be out of this server's reach. */
  protected readonly signer: S3Client;
  protected readonly bucket: string;
  protected readonly region: string;
  readonly #stall: number;
  protected readonly patience: number;

  constructor(options: S3Options) {
    const config: S3ClientConfig = {
      region: options.region,
      forcePathStyle: options.forcePathStyle,
      credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
      // Otherwise presigned PUT URLs carry the checksum of an empty body.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      // `send` repeats requests, as long as there is time.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: 1_900, httpAgent: { maxSockets: 200 }, httpsAgent: { maxSockets: 200 } },
    };
    this.#client = new S3Client({ ...config, endpoint: options.endpoint });
    this.signer = new S3Client({ ...config, endpoint: options.publicEndpoint ?? options.endpoint });
    this.bucket = options.bucket;
    this.region = options.region;
    this.#stall = options.stall ?? STALL_TIMEOUT_MS;
    this.patience = options.patience ?? PATIENCE_MS;
  }

  async get(
    key: string,
    range?: { start: number; end: number },
    { isPatient = false }: { isPatient?: boolean } = {},
  ): Promise<Readable> {
    assertKey(key);
    assertRange(range);
    const { Body, ContentLength, ContentRange } = await this.send(
      new GetObjectCommand({
        Bucket: this.bucket,
        Key: key,
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      }),
      isPatient ? this.arrived : {},
    );
    if (!(Body instanceof Readable)) throw unexpectedAnswer("no body");
    try {
      if (ContentLength === undefined) throw unexpectedAnswer("no length");
      if (range) {
        const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? "") ?? [];
        if (Number(start) !== range.start) throw unexpectedAnswer("another range");
        if (range.end >= Number(size)) throw new StorageError("missing");
        if (Number(end) !== range.end || ContentLength !== range.end - range.start + 1)
          throw unexpectedAnswer("another range");
      }
    } catch (error) {
      Body.destroy();
      throw error;
    }
    return storedStream(Body, exactly(Body, ContentLength, this.#stall));
  }

  /** Of requests after the bytes have arrived and the store has answered. */
  protected get arrived(): SendOptions {
    return { timeoutMs: this.patience, isPatient: true };
  }

  /**
   * Sends a request, and repeats it while the store is busy and there is time, or its connection is lost.
   * @throws StorageError; what the signal was aborted with
   */
  protected async send<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    command: $Command<I, O, S3ClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
    { timeoutMs = REQUEST_TIMEOUT_MS, isPatient = false, signal }: SendOptions = {},
  ): Promise<O> {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const begin = performance.now();
    // A store that joins an object may take minutes, but not to say that it is busy.
    const busyMs = isPatient ? this.patience : timeoutMs;
    let timer: NodeJS.Timeout | undefined;
    const limit = (ms: number) => {
      clearTimeout(timer);
      const late = () => stop.abort(new Error(`no answer within ${Math.round(ms)} ms`));
      timer = setTimeout(late, ms - (performance.now() - begin));
    };
    limit(timeoutMs);
    // The client checks the signal only during a request.
    const stopped = new Promise<never>((_resolve, reject) => {
      stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
    });
    stopped.catch(() => {});
    let answer: unknown;
    try {
      for (let sent = 1; ; sent += 1) {
        try {
          return await Promise.race([this.#client.send(command, { abortSignal: stop.signal }), stopped]);
        } catch (error) {
          // What the store has answered says more than that the time is over.
          if (stop.signal.aborted) throw answer ?? error;
          if (!isBusy(error) && !(isLostConnection(error) && sent < MAX_CONNECTIONS)) throw error;
          if (isBusy(error)) {
            answer = error;
            if (busyMs > timeoutMs) limit(busyMs);
          }
          const pause = pauseMs(sent);
          if (performance.now() - begin + pause >= busyMs) throw error;
          await Promise.race([delay(pause, undefined, { ref: false }), stopped]).catch(() => {
            throw answer ?? error;
          });
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw s3Error(command.constructor.name.replace(/Command$/, ""), error, this.region);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** @throws StorageError if there are no credentials to sign with */
  protected async signed<T>(work: Promise<T>): Promise<T> {
    return work.catch((error) => {
      throw s3Error("presign", error);
    });
  }

  protected async find(
    key: string,
    options: SendOptions = {},
  ): Promise<{ size: number; etag: string; etagIsMd5: boolean } | null> {
    assertKey(key);
    const found = await unlessMissing(this.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }), options));
    if (!found) return null;
    if (found.ContentLength === undefined) throw unexpectedAnswer("no length");
    // An object that is encrypted with a key of a key service or of the customer has an etag that is not an MD5.
    const encryption = found.SSECustomerAlgorithm ?? found.ServerSideEncryption ?? "AES256";
    return { size: found.ContentLength, etag: unquoted(found.ETag), etagIsMd5: encryption === "AES256" };
  }

  /**
   * Checks that the store has the object that it reported as stored.
   * @param absent the failure if there is no object under the key
   */
  protected async assertStored(
    key: string,
    size: number,
    etag: string | undefined,
    absent: StorageError = unexpectedAnswer("nothing was stored"),
  ): Promise<void> {
    const found = await this.find(key, this.arrived);
    if (found === null) throw absent;
    if (found.size !== size || found.etag !== unquoted(etag)) throw unexpectedAnswer("not what was stored");
  }

  protected async heldParts(key: string, nativeId: string, options: SendOptions = {}): Promise<StoredPart[]> {
    const parts: StoredPart[] = [];
    let marker: string | undefined;
    do {
      const page = await this.send(
        new ListPartsCommand({
          Bucket: this.bucket,
          Key: key,
          UploadId: nativeId,
          PartNumberMarker: marker,
        }),
        options,
      );
      if (page.UploadId !== nativeId) throw unexpectedAnswer("another upload");
      for (const { PartNumber, ETag, Size } of page.Parts ?? []) {
        if (PartNumber === undefined || Size === undefined) throw unexpectedAnswer("an incomplete part");
        parts.push({ number: PartNumber, etag: unquoted(ETag), size: Size });
      }
      marker = nextToken(page.IsTruncated, page.NextPartNumberMarker, marker);
    } while (marker !== undefined);
    return parts.sort((a, b) => a.number - b.number);
  }

  protected async begin(key: string, contentType: string): Promise<string> {
    const { UploadId } = await this.send(
      new CreateMultipartUploadCommand({ Bucket: this.bucket, Key: key, ContentType: contentType }),
      { isPatient: true },
    );
    if (!UploadId) throw unexpectedAnswer("no upload id");
    return UploadId;
  }

  /** Joins the parts after checking that the store has exactly these parts. */
  protected async join(key: string, nativeId: string, parts: readonly StoredPart[]): Promise<void> {
    const held = await this.heldParts(key, nativeId, { timeoutMs: LIST_TIMEOUT_MS, isPatient: true });
    const same = parts.every(({ number, etag, size }, index) => {
      const part = held[index];
      return number === index + 1 && part?.number === number && part.etag === etag && part.size === size;
    });
    if (!same || held.length !== parts.length) throw new StorageError("invalid_parts");
    const { ETag } = await this.send(
      new CompleteMultipartUploadCommand({
        Bucket: this.bucket,
        Key: key,
        UploadId: nativeId,
        MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
      }),
      { timeoutMs: JOIN_TIMEOUT_MS, isPatient: true },
    );
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    // If two instances join the parts at the same time, versitygw answers the second one before the first has finished.
    await this.assertStored(
      key,
      size,
      ETag,
      new StorageError("missing", { cause: unexpectedAnswer("nothing was joined") }),
    );
  }

  protected async abort(key: string, nativeId: string, timeoutMs?: number): Promise<void> {
    const command = new AbortMultipartUploadCommand({ Bucket: this.bucket, Key: key, UploadId: nativeId });
    await unlessMissing(this.send(command, { timeoutMs }));
  }

  protected async remove(key: string, timeoutMs?: number): Promise<void> {
    await unlessMissing(this.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }), { timeoutMs }));
  }
}

/** The token of the next page, or undefined after the last one. */
export function nextToken(isTruncated: boolean | undefined, next: string | undefined, current: string | undefined) {
  if (!isTruncated) return undefined;
  if (!next || next === current) throw unexpectedAnswer("a listing without end");
  return next;
}
