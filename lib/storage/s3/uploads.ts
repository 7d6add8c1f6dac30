import { createHash } from "node:crypto";
import { GetObjectCommand, ListMultipartUploadsCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import { getSignedUrl, S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import { type ByteStream, chunksOf } from "@/lib/http/chunks";
import { FairQueue, QueueFullError } from "@/lib/kernel/fair-queue";
import { assertKey, assertPrefix, JOINED, StorageError, type StoredObject, type StoredPart } from "../driver";
import { Turns } from "../turns";
import { formatUploadId, joinedEtag, parseUploadId, partCount, partLength, type UploadShape } from "../upload-id";
import { wholePart } from "./bodies";
import {
  CLEANUP_TIMEOUT_MS,
  MIN_BYTES_PER_MS,
  nextToken,
  REQUEST_TIMEOUT_MS,
  S3Bucket,
  type S3Options,
} from "./bucket";
import { bareEtag, isMissing, isRefusal, unexpectedAnswer, unquoted } from "./errors";

/** The uploads in parts of an S3 bucket. Clients send parts to it by presigned URLs. */
export class S3Uploads extends S3Bucket {
  /** Signs parts without a command for each: an upload has hundreds, and a command takes ten times as long. */
  readonly #partSigner: S3RequestPresigner;
  /** Where the bucket's objects are, as clients reach them. */
  #bucketUrl: Promise<string> | undefined;
  readonly #turns = new Turns();
  /** Parts that pass through this server: each is in memory until the store has it. */
  readonly #parts = new FairQueue({ running: 8, waiting: 1_000, waitingPerCaller: 100 });

  constructor(options: S3Options) {
    super(options);
    this.#partSigner = new S3RequestPresigner({ ...this.signer.config });
  }

  async createMultipart(
    key: string,
    { contentType, size, partSize }: { contentType: string; size: number; partSize: number },
  ): Promise<string> {
    assertKey(key);
    partCount(size, partSize);
    return formatUploadId(size, partSize, await this.begin(key, contentType));
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
    const { query } = await this.signed(this.#partSigner.presign(request, { expiresIn: seconds }));
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
      const part = { Bucket: this.bucket, Key: key, UploadId: upload.nativeId, PartNumber: number };
      const { ETag } = await this.send(new UploadPartCommand({ ...part, Body: bytes }), {
        timeoutMs: REQUEST_TIMEOUT_MS + size / MIN_BYTES_PER_MS,
        isPatient: true,
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

  /** The address of the bucket, with a slash at its end, as the client derives it from its settings. */
  async #locateBucket(): Promise<string> {
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: "key" });
    const { origin, pathname } = new URL(await this.signed(getSignedUrl(this.signer, command)));
    return origin + pathname.replace(/key$/, "");
  }

  async listParts(key: string, storeUploadId: string): Promise<StoredPart[]> {
    assertKey(key);
    const upload = parseUploadId(storeUploadId);
    try {
      return await this.heldParts(key, upload.nativeId);
    } catch (error) {
      // If the object exists already, the parts that are left are not listed.
      const isJoined = isMissing(error) && (await this.find(key))?.size === upload.size;
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
    const wanted = parts.map(({ number, etag }) => ({
      number,
      etag: bareEtag(etag),
      size: partLength(upload, number),
    }));
    // Each of two joins at the same time could see the unfinished work of the other.
    return this.#turns.take(upload.id, async () => {
      try {
        await this.join(key, upload.nativeId, wanted);
      } catch (error) {
        // A store that is removing the parts of a joined upload lists some of them.
        const areOthers = error instanceof StorageError && error.failure === "invalid_parts";
        if (!isMissing(error) && !areOthers) throw error;
        const isWhole = async () => (await this.find(key))?.size === upload.size;
        // The answer to an earlier request was lost: the upload no longer exists because its object does.
        if (!(await isWhole())) {
          const claimed = takeOver && !areOthers ? await this.#findClaimed(key, upload) : null;
          if (claimed) await this.join(key, claimed.nativeId, wanted);
          // Another instance may have joined them in the meantime.
          else if (!(await isWhole())) throw error;
        }
        await Promise.allSettled([this.#abortClaimed(key, upload, CLEANUP_TIMEOUT_MS)]);
      }
      return { size: upload.size, sha256: await this.#verify(key, upload, wanted) };
    });
  }

  async abortMultipart(key: string, storeUploadId: string): Promise<void> {
    assertKey(key);
    const upload = parseUploadId(storeUploadId);
    await this.abort(key, upload.nativeId);
    await Promise.allSettled([this.#abortClaimed(key, upload)]);
  }

  async sweepUnfinished(prefix: string, before: Date): Promise<number> {
    assertPrefix(prefix);
    let swept = 0;
    let keyMarker: string | undefined;
    let idMarker: string | undefined;
    do {
      const page = await this.send(
        new ListMultipartUploadsCommand({
          Bucket: this.bucket,
          Prefix: prefix,
          KeyMarker: keyMarker,
          UploadIdMarker: idMarker,
        }),
      );
      if (page.IsTruncated === undefined) throw unexpectedAnswer("no listing");
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Key === undefined || UploadId === undefined || !Initiated) throw unexpectedAnswer("an incomplete listing");
        if (Initiated >= before) continue;
        await this.abort(Key, UploadId);
        swept += 1;
      }
      const next = nextToken(
        page.IsTruncated,
        page.IsTruncated ? `${page.NextKeyMarker} ${page.NextUploadIdMarker}` : undefined,
        keyMarker === undefined ? undefined : `${keyMarker} ${idMarker}`,
      );
      keyMarker = next === undefined ? undefined : page.NextKeyMarker;
      idMarker = next === undefined ? undefined : page.NextUploadIdMarker;
    } while (keyMarker !== undefined);
    return swept;
  }

  /**
   * Finds an upload whose join was interrupted because the store was killed. versitygw renames an upload while it joins
   * the parts, so that no other request uses it. If it is killed then, it has the upload under the new name only, and
   * does not list it.
   * @returns null if the store has none, or knows no such names
   */
  async #findClaimed(key: string, upload: UploadShape): Promise<{ nativeId: string; parts: StoredPart[] } | null> {
    for (const nativeId of claimedIds(upload)) {
      try {
        const parts = await this.heldParts(key, nativeId);
        if (parts.length === upload.count) return { nativeId, parts };
      } catch (error) {
        if (!isMissing(error) && !isRefusal(error)) throw error;
      }
    }
    return null;
  }

  /** Removes uploads with the names that an interrupted join leaves. */
  async #abortClaimed(key: string, upload: UploadShape, timeoutMs?: number): Promise<void> {
    for (const nativeId of claimedIds(upload)) await this.abort(key, nativeId, timeoutMs);
  }

  /**
   * Reads a joined object and computes its hash: S3 does not report one, and a hash from the sender proves nothing. If
   * the etags are MD5 hashes, each part is compared with its etag. A server may store a part although its sender was
   * cut off (versitygw 1.8 fills it up with zeros); such an object is removed. If the etags of the parts are not known,
   * the etag of the whole object, which is computed from them, is compared instead.
   * @returns the SHA-256 in lower-case hex
   */
  async #verify(key: string, upload: UploadShape, parts: readonly { number: number; etag: string }[]): Promise<string> {
    const stored = await this.find(key, this.arrived);
    const unknown = parts.every(({ etag }) => etag === JOINED);
    const checksParts = stored?.etagIsMd5 === true && (unknown || stored.etag === joinedEtag(parts));
    const whole = createHash("sha256");
    const digests: { etag: string }[] = [];
    let position = 0;
    let partHash = createHash("md5");
    const object = await this.get(key, undefined, { isPatient: true });
    for await (const chunk of object as AsyncIterable<Uint8Array>) {
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
    if (position !== upload.size) throw unexpectedAnswer("another size");
    if (checksParts && unknown && joinedEtag(digests) !== stored.etag) await this.#refuseTorn(key);
    return whole.digest("hex");
  }

  async #refuseTorn(key: string, part?: number): Promise<never> {
    await this.remove(key);
    throw new StorageError("invalid_parts", { cause: new Error(`the store tore part ${part ?? "of an object"}`) });
  }
}

/**
 * How many interrupted joins of an upload are taken over: each one makes the name longer, and a file name has at most
 * 255 bytes.
 */
const MAX_CLAIMS = 3;

/**
 * The names under which versitygw keeps an upload while it joins the parts: the first one, and those of joins that were
 * taken over.
 */
function claimedIds({ nativeId, joinedEtag }: UploadShape): string[] {
  if (joinedEtag === null) return [];
  return Array.from({ length: MAX_CLAIMS }, (_, index) => nativeId + `.${joinedEtag}.inprogress`.repeat(index + 1));
}
