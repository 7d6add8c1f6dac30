import { createHash, type Hash } from "node:crypto";
import { Readable } from "node:stream";
import {
  type $Command,
  AbortMultipartUploadCommand,
  type BucketLocationConstraint,
  type CORSRule,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  type S3ClientResolvedConfig,
  S3ServiceException,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  UploadPartCommand,
  type UploadPartCommandOutput,
} from "@aws-sdk/client-s3";
import { getSignedUrl, S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import type { ByteStream } from "@/lib/http/chunks";
import { chunksOf } from "@/lib/http/chunks";
import { FairQueue, QueueFullError } from "@/lib/kernel/fair-queue";
import { MAX_PARTS } from "@/lib/kernel/upload-limits";
import {
  assertKey,
  assertPrefix,
  assertRange,
  JOINED,
  MAX_PRESIGNED_GET_SECONDS,
  type PresentedAs,
  type StorageDriver,
  StorageError,
  type StoredObject,
  type StoredPart,
} from "./driver";
import { Turns } from "./turns";
import { formatUploadId, joinedEtag, parseUploadId, partCount, partLength, type UploadShape } from "./upload-id";

/** A put sends parts of this size, S3's least; two of them are in memory, one arriving and one leaving. */
const PART_BYTES = 5 * 1024 * 1024;
/** How long a store may take to answer, retries and all, in milliseconds. */
const PATIENCE = 2_500;
/** The same for tidying up after a failure, so that both together stay below 5 seconds. */
const CLEANUP_TIMEOUT_MS = 750;
/** Joining the parts of a large object takes a store its time. */
const JOIN_PATIENCE = 300_000;
/** A body must flow at no less than this, in bytes a millisecond (1 Mbit/s). */
const SLOWEST = 125;
/** How long a download from the store may transfer nothing. */
const STALL_TIMEOUT_MS = 20_000;

const MISSING = new Set(["NoSuchKey", "NotFound", "NoSuchUpload", "InvalidRange"]);
const FULL = new Set(["InsufficientStorage", "QuotaExceeded", "XMinioStorageFull"]);
const INVALID_PARTS = new Set(["InvalidPart", "InvalidPartOrder", "EntityTooSmall"]);
const INSUFFICIENT_STORAGE = 507;

/** What a failed call means to the caller. The cause holds no header, no signature and no answer of the store. */
function s3Error(operation: string, error: unknown): StorageError {
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
function nonsense(what: string): StorageError {
  return new StorageError("unavailable", { cause: new Error(`S3 answered nonsense: ${what}`), status: 200 });
}

function unquoted(etag: string | undefined): string {
  const value = etag?.replace(/^"(.*)"$/, "$1");
  if (!value) throw nonsense("no etag");
  return value;
}

export interface S3Options {
  /** `http(s)://host[:port]`, as this server reaches the store. */
  endpoint: string;
  /** The same as clients reach it, for presigned URLs; the endpoint itself where it is left out. */
  publicEndpoint?: string;
  region: string;
  /** A bucket of Slipway's own. */
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
  /** Milliseconds that an object which somebody waits for may stand still; 20 seconds where it is left out. */
  stall?: number;
}

interface SendOptions {
  /** Milliseconds until the store counts as away. */
  patience?: number;
  signal?: AbortSignal;
}

/** An S3 bucket. Clients fetch from it and send to it by presigned URLs (AWS Signature Version 4). */
export class S3Driver implements StorageDriver {
  readonly name = "s3";
  readonly #client: S3Client;
  /** Signs only: its endpoint may be out of this server's reach. */
  readonly #signer: S3Client;
  /** Signs parts without a command for each: an upload has hundreds, and a command takes ten times as long. */
  readonly #partSigner: S3RequestPresigner;
  /** Where the bucket's objects are, as clients reach them. */
  #bucketUrl: Promise<string> | undefined;
  readonly #bucket: string;
  readonly #region: string;
  readonly #stall: number;
  readonly #turns = new Turns();
  /** Parts that pass through this server: each is in memory until the store has it. */
  readonly #parts = new FairQueue({ running: 8, waiting: 1_000, waitingPerCaller: 100 });

  constructor(options: S3Options) {
    const config: S3ClientConfig = {
      region: options.region,
      forcePathStyle: options.forcePathStyle,
      credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
      // Otherwise presigned PUT URLs carry the checksum of an empty body.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: 1_900, httpAgent: { maxSockets: 200 }, httpsAgent: { maxSockets: 200 } },
    };
    this.#client = new S3Client({ ...config, endpoint: options.endpoint });
    this.#signer = new S3Client({ ...config, endpoint: options.publicEndpoint ?? options.endpoint });
    this.#partSigner = new S3RequestPresigner({ ...this.#signer.config });
    this.#bucket = options.bucket;
    this.#region = options.region;
    this.#stall = options.stall ?? STALL_TIMEOUT_MS;
  }

  /** Makes the bucket where it is missing and the credentials allow it. */
  async prepare(): Promise<void> {
    if (await this.#hasBucket()) return;
    const elsewhere = this.#region !== "us-east-1" && {
      CreateBucketConfiguration: { LocationConstraint: this.#region as BucketLocationConstraint },
    };
    try {
      await this.#send(new CreateBucketCommand({ Bucket: this.#bucket, ...elsewhere }));
    } catch (error) {
      // Of instances that start at the same moment one makes it, and stores refuse the others in words of their own.
      if (!(await this.#hasBucket())) throw error;
    }
  }

  async put(
    key: string,
    body: ByteStream,
    { contentType, maxBytes, signal }: { contentType: string; maxBytes: number; signal?: AbortSignal },
  ): Promise<StoredObject> {
    assertKey(key);
    const hash = createHash("sha256");
    const pieceSize = Math.max(PART_BYTES, Math.ceil(maxBytes / MAX_PARTS));
    const pieces = inPieces(chunksOf(body, signal), { pieceSize, maxBytes, hash });
    try {
      const first = await pieces.next();
      // The generator always gives a first piece, be it empty.
      const piece = first.value as Piece;
      const size = piece.isLast
        ? await this.#putWhole(key, piece.bytes, contentType, signal)
        : await this.#putInParts(key, piece, pieces, contentType, signal);
      return { size, sha256: hash.digest("hex") };
    } finally {
      // Not awaited: it may have to wait for a body that nobody reads any more.
      pieces.return().catch(() => {});
    }
  }

  async head(key: string): Promise<{ size: number } | null> {
    const found = await this.#find(key);
    return found && { size: found.size };
  }

  async get(key: string, range?: { start: number; end: number }): Promise<Readable> {
    assertKey(key);
    assertRange(range);
    const { Body, ContentLength, ContentRange } = await this.#send(
      new GetObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      }),
    );
    if (!(Body instanceof Readable)) throw nonsense("no body");
    try {
      if (ContentLength === undefined) throw nonsense("no length");
      if (range) {
        const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? "") ?? [];
        if (Number(start) !== range.start) throw nonsense("another range");
        if (range.end >= Number(size)) throw new StorageError("missing");
        if (Number(end) !== range.end || ContentLength !== range.end - range.start + 1) throw nonsense("another range");
      }
    } catch (error) {
      Body.destroy();
      throw error;
    }
    return storedStream(Body, exactly(Body, ContentLength, this.#stall));
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    await this.#remove(key);
  }

  async *list(prefix: string): AsyncIterable<{ key: string; size: number; lastModified: Date }> {
    assertPrefix(prefix);
    let token: string | undefined;
    do {
      const page = await this.#send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token }),
      );
      if (page.IsTruncated === undefined) throw nonsense("no listing");
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key === undefined || Size === undefined || !LastModified) throw nonsense("an incomplete listing");
        yield { key: Key, size: Size, lastModified: LastModified };
      }
      token = following(page.IsTruncated, page.NextContinuationToken, token);
    } while (token !== undefined);
  }

  async presignGet(key: string, presented: PresentedAs, seconds: number): Promise<string> {
    assertKey(key);
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentDisposition: presented.contentDisposition,
      ResponseContentType: presented.contentType,
    });
    const expiresIn = Math.min(seconds, MAX_PRESIGNED_GET_SECONDS);
    return this.#signed(getSignedUrl(this.#signer, command, { expiresIn }));
  }

  async createMultipart(
    key: string,
    { contentType, size, partSize }: { contentType: string; size: number; partSize: number },
  ): Promise<string> {
    assertKey(key);
    partCount(size, partSize);
    return formatUploadId(size, partSize, await this.#begin(key, contentType));
  }

  async presignPart(key: string, storeUploadId: string, number: number, seconds: number): Promise<string> {
    assertKey(key);
    const upload = parseUploadId(storeUploadId);
    const length = partLength(upload, number);
    this.#bucketUrl ??= this.#locateBucket().catch((error) => {
      this.#bucketUrl = undefined;
      throw error;
    });
    const { protocol, hostname, host, port, pathname } = new URL((await this.#bucketUrl) + key);
    const request = {
      method: "PUT",
      protocol,
      hostname,
      port: port === "" ? undefined : Number(port),
      path: pathname,
      query: { partNumber: String(number), uploadId: upload.nativeId, "x-id": "UploadPart" },
      // The length is signed too: nobody can send more than they announced.
      headers: { host, "content-length": String(length) },
    };
    const { query } = await this.#signed(this.#partSigner.presign(request, { expiresIn: seconds }));
    return `${protocol}//${host}${pathname}?${new URLSearchParams(query as Record<string, string>)}`;
  }

  async putPart(
    key: string,
    storeUploadId: string,
    number: number,
    body: ByteStream,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<StoredPart> {
    assertKey(key);
    const upload = parseUploadId(storeUploadId);
    const size = partLength(upload, number);
    const send = async () => {
      const bytes = await wholePart(chunksOf(body, signal), size);
      const part = { Bucket: this.#bucket, Key: key, UploadId: upload.nativeId, PartNumber: number };
      const { ETag } = await this.#send(new UploadPartCommand({ ...part, Body: bytes }), {
        patience: PATIENCE + size / SLOWEST,
        signal,
      });
      return { number, etag: unquoted(ETag), size };
    };
    try {
      return await this.#parts.run(storeUploadId, send, signal);
    } catch (error) {
      throw error instanceof QueueFullError ? new StorageError("unavailable", { cause: error }) : error;
    }
  }

  /** The address of the bucket, with a slash at its end, as the client makes it of its settings. */
  async #locateBucket(): Promise<string> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: "key" });
    const { origin, pathname } = new URL(await this.#signed(getSignedUrl(this.#signer, command)));
    return origin + pathname.replace(/key$/, "");
  }

  async listParts(key: string, storeUploadId: string): Promise<StoredPart[]> {
    assertKey(key);
    const upload = parseUploadId(storeUploadId);
    try {
      return await this.#heldParts(key, upload.nativeId);
    } catch (error) {
      // The rest of an upload whose object is there already is not listed.
      const isJoined = isMissing(error) && (await this.#find(key))?.size === upload.size;
      const claimed = isMissing(error) && !isJoined ? await this.#findClaimed(key, upload) : null;
      if (!claimed) throw error;
      return claimed.parts;
    }
  }

  async completeMultipart(
    key: string,
    storeUploadId: string,
    parts: readonly { number: number; etag: string }[],
    { takeOver = false }: { takeOver?: boolean } = {},
  ): Promise<StoredObject> {
    assertKey(key);
    const upload = parseUploadId(storeUploadId);
    if (parts.length !== upload.count) throw new StorageError("invalid_parts");
    const wanted = parts.map(({ number, etag }) => ({ number, etag, size: partLength(upload, number) }));
    // Two at once could each see the other's half-done work.
    return this.#turns.take(upload.id, async () => {
      try {
        await this.#join(key, upload.nativeId, wanted);
      } catch (error) {
        // A store that is removing the parts of a joined upload lists some of them.
        const areOthers = error instanceof StorageError && error.failure === "invalid_parts";
        if (!isMissing(error) && !areOthers) throw error;
        const isWhole = async () => (await this.#find(key))?.size === upload.size;
        // An answer that was lost: the upload is gone because its object is there.
        if (!(await isWhole())) {
          const claimed = takeOver && !areOthers ? await this.#findClaimed(key, upload) : null;
          if (claimed) await this.#join(key, claimed.nativeId, wanted);
          // Somebody else may have joined them just now.
          else if (!(await isWhole())) throw error;
        }
        await tidied(this.#abortClaimed(key, upload, CLEANUP_TIMEOUT_MS));
      }
      return { size: upload.size, sha256: await this.#verify(key, upload, parts) };
    });
  }

  async abortMultipart(key: string, storeUploadId: string): Promise<void> {
    assertKey(key);
    const upload = parseUploadId(storeUploadId);
    await this.#abort(key, upload.nativeId);
    await tidied(this.#abortClaimed(key, upload));
  }

  async sweepUnfinished(prefix: string, before: Date): Promise<number> {
    assertPrefix(prefix);
    let swept = 0;
    let keyMarker: string | undefined;
    let idMarker: string | undefined;
    do {
      const page = await this.#send(
        new ListMultipartUploadsCommand({
          Bucket: this.#bucket,
          Prefix: prefix,
          KeyMarker: keyMarker,
          UploadIdMarker: idMarker,
        }),
      );
      if (page.IsTruncated === undefined) throw nonsense("no listing");
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Key === undefined || UploadId === undefined || !Initiated) throw nonsense("an incomplete listing");
        if (Initiated >= before) continue;
        await this.#abort(Key, UploadId);
        swept += 1;
      }
      const next = following(
        page.IsTruncated,
        page.IsTruncated ? `${page.NextKeyMarker} ${page.NextUploadIdMarker}` : undefined,
        keyMarker === undefined ? undefined : `${keyMarker} ${idMarker}`,
      );
      keyMarker = next === undefined ? undefined : page.NextKeyMarker;
      idMarker = next === undefined ? undefined : page.NextUploadIdMarker;
    } while (keyMarker !== undefined);
    return swept;
  }

  async ping(): Promise<void> {
    try {
      await this.#send(new HeadBucketCommand({ Bucket: this.#bucket }));
    } catch (error) {
      throw new StorageError("unavailable", { cause: error });
    }
  }

  /**
   * Lets pages of the given origins send and read objects by presigned URLs (CORS), in place of any rule before.
   * @returns false where the store knows no such call
   */
  async allowOrigins(origins: readonly string[]): Promise<boolean> {
    return this.#putCors([corsRule(origins)]);
  }

  /** @returns false where the store knows no such call */
  async #putCors(rules: CORSRule[]): Promise<boolean> {
    try {
      await this.#send(new PutBucketCorsCommand({ Bucket: this.#bucket, CORSConfiguration: { CORSRules: rules } }));
      return true;
    } catch (error) {
      if (isUnknownCall(error)) return false;
      throw error;
    }
  }

  /**
   * Allows pages of an origin, as `allowOrigins` does, unless a rule of the bucket already does. Rules that an administrator set
   * are kept; a rule of an earlier address of the console is replaced.
   * @returns whether pages may send objects: by a rule that was there, by a new one, or not, if the store knows no rules
   */
  async ensureOrigin(origin: string): Promise<"kept" | "set" | "unsupported"> {
    let rules: CORSRule[];
    try {
      rules = (await this.#send(new GetBucketCorsCommand({ Bucket: this.#bucket }))).CORSRules ?? [];
    } catch (error) {
      if (isUnknownCall(error)) return "unsupported";
      if (!(error instanceof StorageError) || !String(error.cause).includes("NoSuchCORSConfiguration")) throw error;
      rules = [];
    }
    if (rules.some((rule) => allowsUploads(rule, origin))) return "kept";
    const foreign = rules.filter((rule) => !isOwnRule(rule));
    return (await this.#putCors([...foreign, corsRule([origin])])) ? "set" : "unsupported";
  }

  /** Whether the store lets a page of an origin send a part; asked as a browser asks, at the address that it asks. */
  async allowsOrigin(origin: string): Promise<boolean> {
    const { origin: store, pathname } = new URL(await this.presignGet("installers/cors", PROBE, 60));
    const answer = await fetch(store + pathname, {
      method: "OPTIONS",
      headers: { Origin: origin, "Access-Control-Request-Method": "PUT" },
      signal: AbortSignal.timeout(PATIENCE),
    }).catch((error) => {
      // The reason, such as an unknown certificate, is in the cause.
      throw s3Error("preflight", (error as Error).cause ?? error);
    });
    const allowed = answer.headers.get("access-control-allow-origin");
    const methods = answer.headers.get("access-control-allow-methods") ?? "";
    return answer.ok && (allowed === origin || allowed === "*") && methods.split(/\s*,\s*/).includes("PUT");
  }

  /** @throws StorageError; what the signal was aborted with */
  async #send<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    command: $Command<I, O, S3ClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
    { patience = PATIENCE, signal }: SendOptions = {},
  ): Promise<O> {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => stop.abort(new Error(`no answer within ${Math.round(patience)} ms`)), patience);
    // The client looks at the signal only while a request is under way, not between its tries.
    const stopped = new Promise<never>((_resolve, reject) => {
      stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
    });
    try {
      return await Promise.race([this.#client.send(command, { abortSignal: stop.signal }), stopped]);
    } catch (error) {
      signal?.throwIfAborted();
      throw s3Error(command.constructor.name.replace(/Command$/, ""), error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** @throws StorageError where there is nothing to sign with */
  async #signed<T>(work: Promise<T>): Promise<T> {
    return work.catch((error) => {
      throw s3Error("presign", error);
    });
  }

  async #hasBucket(): Promise<boolean> {
    return (await unlessMissing(this.#send(new HeadBucketCommand({ Bucket: this.#bucket })))) !== null;
  }

  async #find(key: string): Promise<{ size: number; etag: string; etagIsMd5: boolean } | null> {
    assertKey(key);
    const found = await unlessMissing(this.#send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key })));
    if (!found) return null;
    if (found.ContentLength === undefined) throw nonsense("no length");
    // With keys of a key service or of the customer's, an etag is something else.
    const encryption = found.SSECustomerAlgorithm ?? found.ServerSideEncryption ?? "AES256";
    return { size: found.ContentLength, etag: unquoted(found.ETag), etagIsMd5: encryption === "AES256" };
  }

  /**
   * Asks whether the store really holds what it said it stored.
   * @param absent what it means that there is nothing under the key
   */
  async #assertStored(
    key: string,
    size: number,
    etag: string | undefined,
    absent: StorageError = nonsense("nothing was stored"),
  ): Promise<void> {
    const found = await this.#find(key);
    if (found === null) throw absent;
    if (found.size !== size || found.etag !== unquoted(etag)) throw nonsense("not what was stored");
  }

  async #putWhole(key: string, bytes: Buffer, contentType: string, signal?: AbortSignal): Promise<number> {
    try {
      const { ETag } = await this.#send(
        new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: bytes, ContentType: contentType }),
        { patience: PATIENCE + bytes.length / SLOWEST, signal },
      );
      await this.#assertStored(key, bytes.length, ETag);
      return bytes.length;
    } catch (error) {
      await tidied(this.#remove(key, CLEANUP_TIMEOUT_MS));
      throw error;
    }
  }

  async #putInParts(
    key: string,
    first: Piece,
    pieces: AsyncGenerator<Piece>,
    contentType: string,
    signal?: AbortSignal,
  ): Promise<number> {
    const nativeId = await this.#begin(key, contentType);
    const upload = { Bucket: this.#bucket, Key: key, UploadId: nativeId };
    const stop = new AbortController();
    const parts: StoredPart[] = [];
    let lastSent: Promise<unknown> | undefined;
    try {
      for (let piece: Piece | undefined = first; piece; ) {
        const { bytes, isLast }: Piece = piece;
        const number = parts.length + 1;
        const sent: Promise<UploadPartCommandOutput> = this.#send(
          new UploadPartCommand({ ...upload, PartNumber: number, Body: bytes }),
          { patience: PATIENCE + bytes.length / SLOWEST, signal: stop.signal },
        );
        lastSent = sent;
        const [{ ETag }, next]: [UploadPartCommandOutput, IteratorResult<Piece, void> | undefined] = await Promise.all([
          sent,
          isLast ? undefined : pieces.next(),
        ]);
        parts.push({ number, etag: unquoted(ETag), size: bytes.length });
        piece = next?.value ?? undefined;
      }
      signal?.throwIfAborted();
      await this.#join(key, nativeId, parts);
      return parts.reduce((sum, part) => sum + part.size, 0);
    } catch (error) {
      // The store may still be busy with a part that was cut off, and would keep it beyond the abort.
      const timer = setTimeout(() => stop.abort(error), CLEANUP_TIMEOUT_MS);
      await lastSent?.catch(() => {});
      clearTimeout(timer);
      await tidied(this.#abort(key, nativeId, CLEANUP_TIMEOUT_MS), this.#remove(key, CLEANUP_TIMEOUT_MS));
      // These are the parts that the store itself said it had taken.
      const isLie = error instanceof StorageError && error.failure === "invalid_parts";
      throw isLie ? nonsense("other parts than were sent") : error;
    }
  }

  async #heldParts(key: string, nativeId: string): Promise<StoredPart[]> {
    const parts: StoredPart[] = [];
    let marker: string | undefined;
    do {
      const page = await this.#send(
        new ListPartsCommand({
          Bucket: this.#bucket,
          Key: key,
          UploadId: nativeId,
          PartNumberMarker: marker,
        }),
      );
      if (page.UploadId !== nativeId) throw nonsense("another upload");
      for (const { PartNumber, ETag, Size } of page.Parts ?? []) {
        if (PartNumber === undefined || Size === undefined) throw nonsense("an incomplete part");
        parts.push({ number: PartNumber, etag: unquoted(ETag), size: Size });
      }
      marker = following(page.IsTruncated, page.NextPartNumberMarker, marker);
    } while (marker !== undefined);
    return parts.sort((a, b) => a.number - b.number);
  }

  /**
   * An upload whose join the store did not survive. versitygw renames an upload before it joins the parts, to keep others
   * from it, and back if that fails. Killed in between, it knows the upload by its new name alone, and does not list it.
   * @returns null where the store has none, or knows no such names
   */
  async #findClaimed(key: string, upload: UploadShape): Promise<{ nativeId: string; parts: StoredPart[] } | null> {
    for (const nativeId of claimedIds(upload)) {
      try {
        const parts = await this.#heldParts(key, nativeId);
        if (parts.length === upload.count) return { nativeId, parts };
      } catch (error) {
        if (!isMissing(error) && !isRefusal(error)) throw error;
      }
    }
    return null;
  }

  /** Removes what such an upload leaves. */
  async #abortClaimed(key: string, upload: UploadShape, patience?: number): Promise<void> {
    for (const nativeId of claimedIds(upload)) await this.#abort(key, nativeId, patience);
  }

  async #begin(key: string, contentType: string): Promise<string> {
    const { UploadId } = await this.#send(
      new CreateMultipartUploadCommand({ Bucket: this.#bucket, Key: key, ContentType: contentType }),
    );
    if (!UploadId) throw nonsense("no upload id");
    return UploadId;
  }

  /** Joins the parts once the store is seen to hold just these. */
  async #join(key: string, nativeId: string, parts: readonly StoredPart[]): Promise<void> {
    const held = await this.#heldParts(key, nativeId);
    const same = parts.every(({ number, etag, size }, index) => {
      const part = held[index];
      return number === index + 1 && part?.number === number && part.etag === etag && part.size === size;
    });
    if (!same || held.length !== parts.length) throw new StorageError("invalid_parts");
    const { ETag } = await this.#send(
      new CompleteMultipartUploadCommand({
        Bucket: this.#bucket,
        Key: key,
        UploadId: nativeId,
        MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
      }),
      { patience: JOIN_PATIENCE },
    );
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    // Where two instances join at once, versitygw answers the second while the first is still at it.
    await this.#assertStored(key, size, ETag, new StorageError("missing", { cause: nonsense("nothing was joined") }));
  }

  /**
   * Reads a joined object: S3 does not tell its hash, and a hash that the sender claims proves nothing. On the way it
   * compares each part with its etag where that is an MD5. A server may take a part whose sender was cut off for
   * whole (versitygw 1.8 does, and fills it up with zeros): such an object is removed again. Where the etags of the
   * parts are not known any more, that of the whole, which is made of them, has to do.
   * @returns the SHA-256 in lower-case hex
   */
  async #verify(key: string, upload: UploadShape, parts: readonly { number: number; etag: string }[]): Promise<string> {
    const stored = await this.#find(key);
    const unknown = parts.every(({ etag }) => etag === JOINED);
    const checksParts = stored?.etagIsMd5 === true && (unknown || stored.etag === joinedEtag(parts));
    const whole = createHash("sha256");
    const digests: { etag: string }[] = [];
    let position = 0;
    let partHash = createHash("md5");
    for await (const chunk of (await this.get(key)) as AsyncIterable<Uint8Array>) {
      whole.update(chunk);
      if (!checksParts) {
        position += chunk.length;
        continue;
      }
      for (let rest = chunk; rest.length > 0; ) {
        const end = Math.min((digests.length + 1) * upload.partSize, upload.size);
        const taken = rest.subarray(0, end - position);
        partHash.update(taken);
        position += taken.length;
        rest = rest.subarray(taken.length);
        if (position < end) continue;
        const etag = partHash.digest("hex");
        if (!unknown && etag !== parts[digests.length]?.etag) await this.#refuseTorn(key, digests.length + 1);
        digests.push({ etag });
        partHash = createHash("md5");
      }
    }
    if (position !== upload.size) throw nonsense("another size");
    if (checksParts && unknown && joinedEtag(digests) !== stored.etag) await this.#refuseTorn(key);
    return whole.digest("hex");
  }

  async #refuseTorn(key: string, part?: number): Promise<never> {
    await this.#remove(key);
    throw new StorageError("invalid_parts", { cause: new Error(`the store tore part ${part ?? "of an object"}`) });
  }

  async #abort(key: string, nativeId: string, patience?: number): Promise<void> {
    const command = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key: key, UploadId: nativeId });
    await unlessMissing(this.#send(command, { patience }));
  }

  async #remove(key: string, patience?: number): Promise<void> {
    await unlessMissing(this.#send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }), { patience }));
  }
}

/** How often a join may die and be taken over: each time, the name grows, and a file's name has 255 bytes. */
const MAX_CLAIMS = 3;

/** The names by which versitygw knows an upload while it joins its parts, and an upload taken over while it joins those. */
function claimedIds({ nativeId, joinedEtag }: UploadShape): string[] {
  if (joinedEtag === null) return [];
  return Array.from({ length: MAX_CLAIMS }, (_, index) => nativeId + `.${joinedEtag}.inprogress`.repeat(index + 1));
}

function isMissing(error: unknown): boolean {
  return error instanceof StorageError && error.failure === "missing";
}

/** Whether the store answered that it does not do what it was asked for, or answered nonsense; an internal error of it is not one. */
function isRefusal(error: unknown): boolean {
  return error instanceof StorageError && error.status !== null && error.status < 500;
}

/** What a presigned URL has to say of itself where nobody will use it. */
const PROBE: PresentedAs = { contentDisposition: "attachment", contentType: "application/octet-stream" };

/** What pages need of a store: they send parts and read the tags that it answers with. */
export function corsRule(origins: readonly string[]) {
  return {
    AllowedOrigins: [...origins],
    AllowedMethods: ["GET", "HEAD", "PUT"],
    AllowedHeaders: ["*"],
    ExposeHeaders: ["ETag"],
    MaxAgeSeconds: 3_600,
  };
}

function isUnknownCall(error: unknown): boolean {
  return error instanceof StorageError && /NotImplemented|\(501\)|\(405\)/.test(String(error.cause));
}

function allowsUploads({ AllowedOrigins = [], AllowedMethods = [] }: CORSRule, origin: string): boolean {
  return AllowedOrigins.some((allowed) => allowed === origin || allowed === "*") && AllowedMethods.includes("PUT");
}

/** Whether a rule is one that this console made, for whatever origins. */
function isOwnRule({ AllowedMethods, AllowedHeaders, ExposeHeaders, MaxAgeSeconds }: CORSRule): boolean {
  const own = corsRule([]);
  return (
    MaxAgeSeconds === own.MaxAgeSeconds &&
    String(AllowedMethods) === String(own.AllowedMethods) &&
    String(AllowedHeaders) === String(own.AllowedHeaders) &&
    String(ExposeHeaders) === String(own.ExposeHeaders)
  );
}

/** A stretch of a body, as long as a part; the bytes are good until the piece after the next is asked for. */
interface Piece {
  bytes: Buffer;
  isLast: boolean;
}

/**
 * Collects a part, whose length the store wants to know first.
 * @throws StorageError invalid_parts for another length
 */
async function wholePart(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Buffer> {
  const part = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for await (const chunk of chunks) {
    if (filled + chunk.length > length) throw new StorageError("invalid_parts");
    part.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < length) throw new StorageError("invalid_parts");
  return part;
}

/**
 * Cuts a body into pieces, hashing it on the way. Two buffers take turns, so that one piece is sent while the next
 * arrives. There is always a last piece, which may be empty only where the whole body is.
 * @throws StorageError too_large as soon as more than `maxBytes` came
 */
async function* inPieces(
  chunks: AsyncIterable<Uint8Array>,
  { pieceSize, maxBytes, hash }: { pieceSize: number; maxBytes: number; hash: Hash },
): AsyncGenerator<Piece, void, void> {
  let filling: Buffer = Buffer.allocUnsafeSlow(pieceSize);
  let other: Buffer | undefined;
  let filled = 0;
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > maxBytes) throw new StorageError("too_large");
    hash.update(chunk);
    let rest = chunk;
    while (rest.length > 0) {
      if (filled === pieceSize) {
        yield { bytes: filling, isLast: false };
        [filling, other] = [other ?? Buffer.allocUnsafeSlow(pieceSize), filling];
        filled = 0;
      }
      const taken = rest.subarray(0, pieceSize - filled);
      filling.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
    }
  }
  yield { bytes: filling.subarray(0, filled), isLast: true };
}

/**
 * A stream of what the store sends. It ends with its connection to the store, also where nobody has read of it yet: a
 * generator that was not begun would leave that open.
 * @param chunks of the body, checked
 */
function storedStream(body: Readable, chunks: AsyncGenerator<Uint8Array>): Readable {
  return new Readable({
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      body.destroy();
      done(error);
    },
  });
}

/**
 * What the store sends, checked for its length. A store that stands still while somebody waits for bytes is away;
 * a slow reader is not its fault.
 */
async function* exactly(body: Readable, length: number, stall: number): AsyncGenerator<Uint8Array> {
  const startWaiting = () => setTimeout(() => body.destroy(new Error("the store sends nothing")), stall);
  let received = 0;
  let timer = startWaiting();
  try {
    for await (const chunk of body) {
      clearTimeout(timer);
      received += (chunk as Uint8Array).length;
      if (received > length) throw nonsense("a longer object");
      yield chunk as Uint8Array;
      timer = startWaiting();
    }
  } catch (error) {
    throw s3Error("GetObject", error);
  } finally {
    clearTimeout(timer);
  }
  if (received !== length) throw nonsense("a shorter object");
}

/** The token of the next page, or undefined after the last one. */
function following(isTruncated: boolean | undefined, next: string | undefined, current: string | undefined) {
  if (!isTruncated) return undefined;
  if (!next || next === current) throw nonsense("a listing without end");
  return next;
}

/** The answer, or null where the store does not have the thing. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Waits for the removal of what a failed put may have left; what does not succeed now is the sweeper's. */
async function tidied(...work: Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
}
