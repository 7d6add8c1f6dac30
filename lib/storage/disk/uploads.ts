import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rm, statfs, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ByteStream, chunksOf } from "@/lib/http/chunks";
import { assertKey, assertPrefix, StorageError, type StoredObject, type StoredPart } from "../driver";
import { Turns } from "../turns";
import { formatUploadId, parseUploadId, partCount, partLength, type UploadShape } from "../upload-id";
import { diskError, rethrow, rethrowGone } from "./errors";
import { FileHash } from "./file-hash";
import { writeBody } from "./file-write";
import { DiskFolders, flat, lastChange, limited, syncFolder } from "./folders";
import { DiskSpace, type FileSystemStats, type Reservation, type UploadRoom } from "./space";

interface DiskUpload extends UploadShape {
  folder: string;
}

const NATIVE_ID = /^[0-9a-f-]{36}$/;
const PART_MARKER = /^(\d{1,5})\.([0-9a-f]{32})$/;
const DATA = "data";
/** `reserved.<bytes in base 36>.<hash of the owner>`: an empty file that outlives a restart. */
const RESERVED_MARKER = /^reserved\.([0-9a-z]{1,11})\.([0-9a-f]{32})$/;
export const PUT = ".put";
/** The unit of `blocks` in the result of `stat`, in bytes, for every file system (POSIX; `st_blocks` on Linux). */
const STAT_BLOCK_BYTES = 512;

/**
 * How long the room of an upload stays reserved while nothing is written, in milliseconds. A client that sends as slowly
 * as the server accepts (`MIN_FLOW`) fills a batch of `writeBody` in 10 minutes.
 */
const RESERVATION_IDLE_MS = 15 * 60_000;

/** The stored reservation of an upload. Bytes that are already written count towards it. */
interface KeptReservation {
  owner: string | null;
  /** Infinity for all of the upload. */
  bytes: number;
}

interface PartWriter {
  stop: AbortController;
  done: Promise<unknown>;
}

/** The state of an upload that is in memory only. */
interface LiveUpload {
  writers: Map<number, PartWriter>;
  /** The ID of the request that arrived last, by part. */
  latestRequests: Map<number, string>;
  arrived: Set<number>;
  hash: FileHash;
  /** How many parts, counted from the first, the hash has received. */
  hashed: number;
  /** It is being joined or removed: no part may change any more. */
  ending: boolean;
}

export interface DiskOptions {
  dataDir: string;
  /** Bytes that uploads leave free for other data on the disk; 0 by default. */
  reserveBytes?: number;
  /** Returns the state of a file system; by default, the system call. */
  statfs?(path: string): Promise<FileSystemStats>;
}

/** The uploads in parts of a disk store, and the room that they reserve. */
export class DiskUploads extends DiskFolders {
  protected readonly diskSpace: DiskSpace;
  readonly #live = new Map<string, LiveUpload>();
  readonly #turns = new Turns();
  readonly #reservations = new Map<string, KeptReservation>();

  constructor({ dataDir, reserveBytes = 0, statfs: ask = statfs }: DiskOptions) {
    super(dataDir);
    this.diskSpace = new DiskSpace({
      reserveBytes,
      statfs: () => ask(this.uploads).catch(rethrow),
      reservations: () => this.#currentReservations(),
    });
  }

  async createMultipart(
    key: string,
    { size, partSize, owner }: { contentType: string; size: number; partSize: number; owner?: string },
  ): Promise<string> {
    this.locate(key);
    partCount(size, partSize);
    await this.prepare();
    const storeUploadId = formatUploadId(size, partSize, randomUUID());
    const { folder } = this.#upload(key, storeUploadId);
    try {
      const ownerHash = owner === undefined ? null : createHash("sha256").update(owner).digest("hex").slice(0, 32);
      await this.diskSpace.reserve({ owner: ownerHash, bytes: size }, async (bytes) => {
        await mkdir(folder, { mode: 0o700 });
        await this.#keepReservation(folder, { owner: ownerHash, bytes });
        const file = await this.create(join(folder, DATA));
        try {
          await file.truncate(size);
          await file.sync();
        } finally {
          await file.close();
        }
      });
      await syncFolder(folder);
      await syncFolder(this.uploads);
      return storeUploadId;
    } catch (error) {
      await rm(folder, { recursive: true, force: true }).catch(() => {});
      this.#reservations.delete(folder);
      throw diskError(error);
    }
  }

  async putPart(
    key: string,
    storeUploadId: string,
    number: number,
    body: ByteStream,
    { signal, requestId }: { signal?: AbortSignal; requestId?: string } = {},
  ): Promise<StoredPart> {
    const upload = this.#upload(key, storeUploadId);
    const part = { number, size: partLength(upload, number) };
    const live = await this.#liveUpload(upload);
    if (live.ending) throw new StorageError("missing");
    // A request whose client has disconnected must not replace a later one. The disconnection is noticed only when the
    // last bytes are read.
    signal?.throwIfAborted();
    if (requestId !== undefined) {
      if (requestId < (live.latestRequests.get(number) ?? "")) throw sentAgain();
      live.latestRequests.set(number, requestId);
    }

    const earlier = live.writers.get(number);
    const stop = new AbortController();
    const writing = this.#writePart(upload, live, part, body, {
      after: earlier?.done,
      signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    });
    const writer = { stop, done: writing.catch(() => {}) };
    live.writers.set(number, writer);
    earlier?.stop.abort(sentAgain());
    try {
      return await writing;
    } finally {
      if (live.writers.get(number) === writer) live.writers.delete(number);
    }
  }

  async listParts(key: string, storeUploadId: string): Promise<StoredPart[]> {
    const upload = this.#upload(key, storeUploadId);
    return (await this.#markers(upload)).map(({ number, etag }) => ({
      number,
      etag,
      size: partLength(upload, number),
    }));
  }

  async completeMultipart(
    key: string,
    storeUploadId: string,
    parts: readonly { number: number; etag: string }[],
  ): Promise<StoredObject> {
    const upload = this.#upload(key, storeUploadId);
    return this.#turns.take(upload.folder, () => this.#assemble(key, upload, parts));
  }

  async abortMultipart(key: string, storeUploadId: string): Promise<void> {
    await this.#remove(this.#upload(key, storeUploadId).folder);
  }

  async sweepUnfinished(prefix: string, before: Date): Promise<number> {
    assertPrefix(prefix);
    await this.prepare();
    let swept = 0;
    try {
      for (const name of await readdir(this.uploads)) {
        if (!name.includes("~") || !name.startsWith(flat(prefix))) continue;
        const path = join(this.uploads, name);
        const touched = await Promise.all([lastChange(path), lastChange(join(path, DATA))]);
        if (Math.max(...touched) >= before.getTime()) continue;
        await this.#remove(path);
        swept += 1;
      }
      await this.#forgetRemoved();
    } catch (error) {
      throw diskError(error);
    }
    return swept;
  }

  /** The room that the uploads in parts have reserved and not written. */
  async #currentReservations(): Promise<Reservation[]> {
    const names = await readdir(this.uploads).catch(rethrow);
    const folders = names.filter(isUploadFolder).map((name) => join(this.uploads, name));
    // An upload may be removed in the meantime.
    const rooms = await Promise.all(folders.map((folder) => this.#roomOf(folder).catch(() => null)));
    return rooms.flatMap((room) => {
      if (room === null || room.hasLapsed) return [];
      const { owner, reservedBytes: bytes, unwrittenBytes } = room;
      return [{ owner, bytes, unreservedBytes: unwrittenBytes - bytes }];
    });
  }

  /** @throws StorageError missing where there is no such upload */
  async #roomOf(folder: string): Promise<UploadRoom> {
    const [changed, data] = await Promise.all([lastChange(folder), lstat(join(folder, DATA)).catch(rethrowGone)]);
    const { owner, bytes } = await this.#keptReservation(folder);
    // On POSIX, the file is sparse: only the blocks that were written occupy disk space. On Windows, `stat` reports no blocks, and the
    // whole file occupies disk space from the beginning.
    const unwrittenBytes = data.blocks === undefined ? 0 : Math.max(0, data.size - data.blocks * STAT_BLOCK_BYTES);
    const hasLapsed = Date.now() - Math.max(changed, data.mtimeMs) > RESERVATION_IDLE_MS;
    return { owner, unwrittenBytes, hasLapsed, reservedBytes: hasLapsed ? 0 : Math.min(bytes, unwrittenBytes) };
  }

  async #keptReservation(folder: string): Promise<KeptReservation> {
    const known = this.#reservations.get(folder);
    if (known) return known;
    const markers = (await readdir(folder).catch(rethrowGone)).flatMap((name) => {
      const match = RESERVED_MARKER.exec(name);
      return match ? [{ owner: match[2] as string, bytes: Number.parseInt(match[1] as string, 36) }] : [];
    });
    // After a crash between a new marker and the removal of the old one, there are two.
    const kept = markers.sort((a, b) => a.bytes - b.bytes)[0] ?? { owner: null, bytes: Number.POSITIVE_INFINITY };
    this.#reservations.set(folder, kept);
    return kept;
  }

  async #keepReservation(folder: string, { owner, bytes }: KeptReservation): Promise<void> {
    if (owner === null) return;
    const marker = `reserved.${bytes.toString(36)}.${owner}`;
    await writeFile(join(/*turbopackIgnore: true*/ folder, marker), "", { mode: 0o600 }).catch(rethrowGone);
    for (const name of await readdir(folder).catch(rethrowGone)) {
      if (name !== marker && RESERVED_MARKER.test(name)) await rm(join(folder, name), { force: true });
    }
    this.#reservations.set(folder, { owner, bytes });
  }

  async #renewReservation(folder: string, bytes: number): Promise<void> {
    const { owner } = await this.#keptReservation(folder);
    await this.#keepReservation(folder, { owner, bytes });
    const now = new Date();
    await utimes(join(folder, DATA), now, now).catch(rethrowGone);
  }

  #upload(key: string, storeUploadId: string): DiskUpload {
    assertKey(key);
    const shape = parseUploadId(storeUploadId);
    if (!NATIVE_ID.test(shape.nativeId)) throw new StorageError("missing");
    return { ...shape, folder: join(this.uploads, `${flat(key)}~${shape.id}`) };
  }

  /**
   * The parts whose markers in the folder say that they are complete.
   * @throws StorageError missing if there is no such upload
   */
  async #markers(upload: DiskUpload): Promise<{ number: number; etag: string; path: string }[]> {
    await this.prepare();
    const names = await this.unlessGone(readdir(upload.folder));
    // Without `data`, the file was moved to its key, and a crash interrupted the removal of the folder.
    if (!names?.includes(DATA)) throw new StorageError("missing");
    return names
      .flatMap((name) => {
        const match = PART_MARKER.exec(name);
        return match ? [{ number: Number(match[1]), etag: match[2] as string, path: join(upload.folder, name) }] : [];
      })
      .sort((a, b) => a.number - b.number);
  }

  async #liveUpload(upload: DiskUpload): Promise<LiveUpload> {
    const markers = await this.#markers(upload);
    const known = this.#live.get(upload.folder);
    if (known) return known;
    const live: LiveUpload = {
      writers: new Map(),
      latestRequests: new Map(),
      arrived: new Set(markers.map(({ number }) => number)),
      hash: new FileHash(join(upload.folder, DATA)),
      hashed: 0,
      ending: false,
    };
    this.#live.set(upload.folder, live);
    return live;
  }

  async #writePart(
    upload: DiskUpload,
    live: LiveUpload,
    { number, size }: { number: number; size: number },
    body: ByteStream,
    { after, signal }: { after: Promise<unknown> | undefined; signal: AbortSignal },
  ): Promise<StoredPart> {
    await after;
    signal.throwIfAborted();
    const claim = await this.diskSpace.claimPart(size, {
      room: () => this.#roomOf(upload.folder),
      renew: (bytes) => this.#renewReservation(upload.folder, bytes),
    });
    try {
      await this.#revoke(upload, live, number);
      const file = await open(join(upload.folder, DATA), constants.O_RDWR).catch(rethrowGone);
      try {
        const received = await writeBody(file, limited(chunksOf(body, signal), size, "invalid_parts"), {
          position: (number - 1) * upload.partSize,
          spend: claim.spend,
          failed: diskError,
        });
        if (received !== size) throw new StorageError("invalid_parts");
      } finally {
        await file.close().catch(rethrow);
      }
    } finally {
      claim.release();
    }
    signal.throwIfAborted();
    const etag = randomUUID().replaceAll("-", "");
    await writeFile(join(/*turbopackIgnore: true*/ upload.folder, `${number}.${etag}`), "", {
      flag: "wx",
      mode: 0o600,
    }).catch(rethrowGone);
    await syncFolder(upload.folder).catch(rethrowGone);
    live.arrived.add(number);
    this.#advanceHash(upload, live);
    return { number, etag, size };
  }

  /** Marks a part as not arrived, before it is overwritten because it is sent again. */
  async #revoke(upload: DiskUpload, live: LiveUpload, number: number): Promise<void> {
    const stale = (await this.#markers(upload)).filter((marker) => marker.number === number);
    if (stale.length === 0) return;
    for (const { path } of stale) await unlink(path).catch(rethrowGone);
    await syncFolder(upload.folder).catch(rethrowGone);
    live.arrived.delete(number);
    if (number <= live.hashed) this.#restartHash(upload, live);
  }

  #restartHash(upload: DiskUpload, live: LiveUpload): void {
    live.hash.drop();
    live.hash = new FileHash(join(upload.folder, DATA));
    live.hashed = 0;
  }

  #advanceHash(upload: DiskUpload, live: LiveUpload): void {
    const before = live.hashed;
    while (live.arrived.has(live.hashed + 1)) live.hashed += 1;
    if (live.hashed > before) live.hash.advance(Math.min(live.hashed * upload.partSize, upload.size));
  }

  async #assemble(
    key: string,
    upload: DiskUpload,
    parts: readonly { number: number; etag: string }[],
  ): Promise<StoredObject> {
    const data = join(upload.folder, DATA);
    await this.prepare();
    if (!(await this.unlessGone(lstat(data)))) return this.#alreadyJoined(key, upload);
    await this.#assertWhole(upload, parts);
    const live = await this.#liveUpload(upload);
    live.ending = true;
    try {
      await stopWriters(live);
      // A part may have been sent again until now.
      await this.#assertWhole(upload, parts);
      live.arrived = new Set(parts.map(({ number }) => number));
      this.#advanceHash(upload, live);
      const sha256 = await live.hash.digest().catch(rethrowGone);
      await this.publish(data, key, this.locate(key));
      await this.#remove(upload.folder).catch(() => {});
      return { size: upload.size, sha256 };
    } catch (error) {
      this.#restartHash(upload, live);
      live.ending = false;
      throw error;
    }
  }

  async #assertWhole(upload: DiskUpload, parts: readonly { number: number; etag: string }[]): Promise<void> {
    const markers = await this.#markers(upload);
    const whole =
      parts.length === upload.count &&
      markers.length === upload.count &&
      parts.every(({ number, etag }, index) => {
        const marker = markers[index];
        return number === index + 1 && marker?.number === number && marker.etag === etag;
      });
    if (!whole) throw new StorageError("invalid_parts");
  }

  /** The result for an upload whose file was moved to its key before, perhaps just before a crash. */
  async #alreadyJoined(key: string, upload: DiskUpload): Promise<StoredObject> {
    if ((await this.head(key))?.size !== upload.size) throw new StorageError("missing");
    await this.#remove(upload.folder);
    const hash = new FileHash(this.locate(key));
    hash.advance(upload.size);
    return { size: upload.size, sha256: await hash.digest().catch(rethrow) };
  }

  /** Drops the state of uploads whose folders another process has removed, such as a manual sweep. */
  async #forgetRemoved(): Promise<void> {
    for (const [folder, live] of this.#live) {
      if ((await lastChange(folder)) > 0) continue;
      await stopWriters(live);
      live.hash.drop();
      this.#live.delete(folder);
    }
    for (const folder of this.#reservations.keys()) {
      if ((await lastChange(folder)) === 0) this.#reservations.delete(folder);
    }
  }

  /** Removes the folder of an unfinished upload or the file of an unfinished put, after the writes to it have ended. */
  async #remove(path: string): Promise<void> {
    const live = this.#live.get(path);
    try {
      if (live) {
        live.ending = true;
        await stopWriters(live);
        live.hash.drop();
      }
      await rm(path, { recursive: true, force: true });
      await syncFolder(this.uploads);
      this.#live.delete(path);
      this.#reservations.delete(path);
    } catch (error) {
      throw diskError(error);
    }
  }
}

/** Whether an entry of `uploads` is an upload in parts. */
function isUploadFolder(name: string): boolean {
  return name.includes("~") && !name.endsWith(PUT);
}

function sentAgain(): StorageError {
  return new StorageError("invalid_parts", { cause: new Error("the part was sent again") });
}

async function stopWriters(live: LiveUpload): Promise<void> {
  const writers = [...live.writers.values()];
  for (const { stop } of writers) stop.abort(new StorageError("missing"));
  await Promise.all(writers.map(({ done }) => done));
}
