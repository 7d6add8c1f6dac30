import { createHash } from "node:crypto";
import {
  type BucketLocationConstraint,
  type CORSRule,
  CreateBucketCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  PutObjectCommand,
  UploadPartCommand,
  type UploadPartCommandOutput,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type ByteStream, chunksOf } from "@/lib/http/chunks";
import { MAX_PARTS } from "@/lib/kernel/upload-limits";
import {
  assertKey,
  assertPrefix,
  MAX_PRESIGNED_GET_SECONDS,
  type PresentedAs,
  type StorageDriver,
  StorageError,
  type StoredObject,
  type StoredPart,
} from "../driver";
import { inPieces, type Piece } from "./bodies";
import { CLEANUP_TIMEOUT_MS, MIN_BYTES_PER_MS, nextToken, REQUEST_TIMEOUT_MS } from "./bucket";
import { isRefusal, isUnknownCall, s3Error, unexpectedAnswer, unlessMissing, unquoted } from "./errors";
import { S3Uploads } from "./uploads";

/**
 * A put sends parts of this size, the minimum of S3. Two of them are in memory: one that arrives and one that is sent.
 */
const PART_BYTES = 5 * 1024 * 1024;

/** An S3 bucket. Clients fetch from it and send to it by presigned URLs (AWS Signature Version 4). */
export class S3Driver extends S3Uploads implements StorageDriver {
  readonly name = "s3";

  /** Creates the bucket if it is missing and the credentials allow it. */
  async prepare(): Promise<void> {
    if (await this.#hasBucket()) return;
    const elsewhere = this.region !== "us-east-1" && {
      CreateBucketConfiguration: { LocationConstraint: this.region as BucketLocationConstraint },
    };
    try {
      await this.send(new CreateBucketCommand({ Bucket: this.bucket, ...elsewhere }));
    } catch (error) {
      // If several instances start at the same time, one creates the bucket. The errors for the others differ between
      // stores.
      if (!(await this.#hasBucket())) throw error;
    }
  }

  async put(
    key: string,
    body: ByteStream,
    {
      contentType,
      maxBytes,
      signal,
      isPatient = false,
    }: { contentType: string; maxBytes: number; signal?: AbortSignal; isPatient?: boolean },
  ): Promise<StoredObject> {
    assertKey(key);
    const hash = createHash("sha256");
    const pieceSize = Math.max(PART_BYTES, Math.ceil(maxBytes / MAX_PARTS));
    const pieces = inPieces(chunksOf(body, signal), { pieceSize, maxBytes, hash });
    try {
      const first = await pieces.next();
      // The generator always yields a first piece, which may be empty.
      const piece = first.value as Piece;
      const size = piece.isLast
        ? await this.#putWhole(key, piece.bytes, contentType, isPatient ? this.patience : REQUEST_TIMEOUT_MS, signal)
        : await this.#putInParts(key, piece, pieces, contentType, signal);
      return { size, sha256: hash.digest("hex") };
    } finally {
      // Not awaited, because it may wait for a body that is no longer read.
      pieces.return().catch(() => {});
    }
  }

  async head(key: string): Promise<{ size: number } | null> {
    const found = await this.find(key);
    return found && { size: found.size };
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    await this.remove(key);
  }

  async *list(prefix: string): AsyncIterable<{ key: string; size: number; lastModified: Date }> {
    assertPrefix(prefix);
    let token: string | undefined;
    do {
      const page = await this.send(
        new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken: token }),
      );
      if (page.IsTruncated === undefined) throw unexpectedAnswer("no listing");
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key === undefined || Size === undefined || !LastModified) throw unexpectedAnswer("an incomplete listing");
        yield { key: Key, size: Size, lastModified: LastModified };
      }
      token = nextToken(page.IsTruncated, page.NextContinuationToken, token);
    } while (token !== undefined);
  }

  async presignGet(key: string, presented: PresentedAs, seconds: number): Promise<string> {
    assertKey(key);
    const command = new GetObjectCommand({
      Bucket: this.bucket,
      Key: key,
      ResponseContentDisposition: presented.contentDisposition,
      ResponseContentType: presented.contentType,
    });
    const expiresIn = Math.min(seconds, MAX_PRESIGNED_GET_SECONDS);
    return this.signed(getSignedUrl(this.signer, command, { expiresIn }));
  }

  async ping(): Promise<void> {
    try {
      await this.#askBucket();
    } catch (error) {
      throw new StorageError("unavailable", { cause: error });
    }
  }

  /**
   * Lets pages of the given origins send and read objects by presigned URLs (CORS), in place of any rule before.
   * @returns false if the store knows no such call
   */
  async allowOrigins(origins: readonly string[]): Promise<boolean> {
    return this.#putCors([corsRule(origins)]);
  }

  /** @returns false if the store knows no such call */
  async #putCors(rules: CORSRule[]): Promise<boolean> {
    try {
      await this.send(new PutBucketCorsCommand({ Bucket: this.bucket, CORSConfiguration: { CORSRules: rules } }));
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
      rules = (await this.send(new GetBucketCorsCommand({ Bucket: this.bucket }))).CORSRules ?? [];
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
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch((error) => {
      // The reason, such as an unknown certificate, is in the cause.
      throw s3Error("preflight", (error as Error).cause ?? error);
    });
    const allowed = answer.headers.get("access-control-allow-origin");
    const methods = answer.headers.get("access-control-allow-methods") ?? "";
    return answer.ok && (allowed === origin || allowed === "*") && methods.split(/\s*,\s*/).includes("PUT");
  }

  async #hasBucket(): Promise<boolean> {
    return (await unlessMissing(this.#askBucket())) !== null;
  }

  /**
   * Asks whether the bucket is there. An answer to HEAD has no body, and with it neither S3's code of an error nor the region that it
   * expects: after a refusal, one listing asks for them.
   */
  async #askBucket(): Promise<true> {
    try {
      await this.send(new HeadBucketCommand({ Bucket: this.bucket }));
    } catch (error) {
      if (isRefusal(error)) await this.send(new ListObjectsV2Command({ Bucket: this.bucket, MaxKeys: 1 }));
      throw error;
    }
    return true;
  }

  async #putWhole(
    key: string,
    bytes: Buffer,
    contentType: string,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<number> {
    try {
      const { ETag } = await this.send(
        new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: bytes, ContentType: contentType }),
        { timeoutMs: timeoutMs + bytes.length / MIN_BYTES_PER_MS, isPatient: true, signal },
      );
      await this.assertStored(key, bytes.length, ETag);
      return bytes.length;
    } catch (error) {
      await Promise.allSettled([this.remove(key, CLEANUP_TIMEOUT_MS)]);
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
    const nativeId = await this.begin(key, contentType);
    const upload = { Bucket: this.bucket, Key: key, UploadId: nativeId };
    const stop = new AbortController();
    const parts: StoredPart[] = [];
    let lastSent: Promise<unknown> | undefined;
    try {
      for (let piece: Piece | undefined = first; piece; ) {
        const { bytes, isLast }: Piece = piece;
        const number = parts.length + 1;
        const sent: Promise<UploadPartCommandOutput> = this.send(
          new UploadPartCommand({ ...upload, PartNumber: number, Body: bytes }),
          { timeoutMs: REQUEST_TIMEOUT_MS + bytes.length / MIN_BYTES_PER_MS, isPatient: true, signal: stop.signal },
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
      await this.join(key, nativeId, parts);
      return parts.reduce((sum, part) => sum + part.size, 0);
    } catch (error) {
      // The store may still process an interrupted part, and would keep it after the abort.
      const timer = setTimeout(() => stop.abort(error), CLEANUP_TIMEOUT_MS);
      await lastSent?.catch(() => {});
      clearTimeout(timer);
      await Promise.allSettled([this.abort(key, nativeId, CLEANUP_TIMEOUT_MS), this.remove(key, CLEANUP_TIMEOUT_MS)]);
      // These are the parts that the store reported as stored.
      const isLie = error instanceof StorageError && error.failure === "invalid_parts";
      throw isLie ? unexpectedAnswer("other parts than were sent") : error;
    }
  }
}

/** The values for a presigned URL that is created only to check the store. */
const PROBE: PresentedAs = { contentDisposition: "attachment", contentType: "application/octet-stream" };

/** The rules that pages need: they send parts and read the etags in the answers. */
export function corsRule(origins: readonly string[]) {
  return {
    AllowedOrigins: [...origins],
    AllowedMethods: ["GET", "HEAD", "PUT"],
    AllowedHeaders: ["*"],
    ExposeHeaders: ["ETag"],
    MaxAgeSeconds: 3_600,
  };
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
