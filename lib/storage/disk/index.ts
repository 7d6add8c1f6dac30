import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, mkdir, opendir, rename, rm, rmdir, stat, statfs, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { type ByteStream, chunksOf } from "@/lib/http/chunks";
import {
  assertPrefix,
  assertRange,
  type SpaceEvent,
  type StorageDriver,
  StorageError,
  type StoredObject,
  type StoreSpace,
} from "../driver";
import { Ballast } from "./ballast";
import { ballastFile } from "./ballast-file.mjs";
import { codeOf, diskError, FULL, rethrow } from "./errors";
import { FileHash } from "./file-hash";
import { FileRead } from "./file-read";
import { writeBody } from "./file-write";
import { flat, limited, syncFolder } from "./folders";
import { SharedBlocks } from "./shared-blocks";
import type { FileSystemStats } from "./space";
import { type DiskOptions, DiskUploads, PUT } from "./uploads";

/** How often the free space is checked, in milliseconds. */
const WATCH_INTERVAL_MS = 1_000;

/**
 * The store on this machine's disk, for one server process.
 *
 * Below `dataDir` are two folders on one file system: `files` holds the objects at their keys, `uploads` the unfinished
 * ones. A put is written to `uploads/<key>~<uuid>.put` and renamed. A multipart upload is a folder
 * `uploads/<key>~<upload id>` with one sparse file `data`, each part written at its position, and an empty file
 * `<number>.<etag>` for each part that is complete and synced: joining 5 GB is a rename, and after a crash, no
 * incomplete part counts as arrived. (In these names `+` stands for the key's slashes.)
 */
export class DiskDriver extends DiskUploads implements StorageDriver {
  readonly name = "disk";

  readonly #dataDir: string;
  readonly #reserveBytes: number;
  #watching = false;
  /** The identities of the two folders between which a rename has been tried. */
  #joined = "";
  readonly #sharedBlocks = new SharedBlocks();
  readonly #statfs: (path: string) => Promise<FileSystemStats>;

  constructor(options: DiskOptions) {
    super(options);
    this.#dataDir = options.dataDir;
    this.#reserveBytes = options.reserveBytes ?? 0;
    this.#statfs = options.statfs ?? statfs;
  }

  async put(
    key: string,
    body: ByteStream,
    options: { contentType: string; maxBytes: number; expectedBytes?: number; signal?: AbortSignal },
  ): Promise<StoredObject> {
    const target = this.locate(key);
    await this.prepare();
    const room = await this.diskSpace.claim(options);
    const temporary = join(this.uploads, `${flat(key)}~${randomUUID()}${PUT}`);
    const hash = new FileHash(temporary);
    try {
      const file = await this.create(temporary);
      let size: number;
      try {
        size = await writeBody(file, limited(chunksOf(body, options.signal), options.maxBytes, "too_large"), {
          position: 0,
          spend: room.spend,
          written: (bytes) => hash.advance(bytes),
          failed: diskError,
        });
      } finally {
        await file.close().catch(rethrow);
      }
      const sha256 = await hash.digest().catch(rethrow);
      options.signal?.throwIfAborted();
      await this.publish(temporary, key, target);
      return { size, sha256 };
    } catch (error) {
      hash.drop();
      await unlink(temporary).catch(() => {});
      throw error;
    } finally {
      room.release();
    }
  }

  async get(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const path = this.locate(key);
    assertRange(range);
    await this.prepare();
    const file = await this.unlessGone(this.openInside(key, path));
    if (!file) throw new StorageError("missing");
    try {
      const found = await file.stat().catch(rethrow);
      if (!found.isFile()) throw new StorageError("missing");
      const { start, end } = range ?? { start: 0, end: found.size - 1 };
      if (end >= found.size) throw new StorageError("missing");
      return new FileRead(file, {
        start,
        end: end + 1,
        size: found.size,
        identity: `${found.dev}:${found.ino}:${found.size}:${found.mtimeMs}`,
        shared: this.#sharedBlocks,
        failed: diskError,
      });
    } catch (error) {
      await file.close().catch(() => {});
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.locate(key);
    await this.prepare();
    await this.unlessGone(
      (async () => {
        await this.assertInside(key);
        await unlink(path);
        await syncFolder(dirname(path));
      })(),
    );
  }

  async *list(prefix: string): AsyncIterable<{ key: string; size: number; lastModified: Date }> {
    assertPrefix(prefix);
    await this.prepare();
    // If the folder of the store is missing, an empty list would be wrong.
    await access(this.files).catch(rethrow);
    yield* this.#walk(prefix.includes("/") ? dirname(`${prefix}.`) : "", prefix);
  }

  async presignGet(): Promise<null> {
    return null;
  }

  async presignPart(): Promise<null> {
    return null;
  }

  async ping(): Promise<void> {
    await this.prepare();
    try {
      const folders = [this.files, this.uploads];
      for (const folder of folders) await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      const identity = (await Promise.all(folders.map((folder) => stat(folder))))
        .map(({ dev, ino }) => `${dev}:${ino}`)
        .join(" ");
      if (identity === this.#joined) return;
      if (await this.#tryRename()) this.#joined = identity;
    } catch (error) {
      throw diskError(error);
    }
  }

  async space(): Promise<StoreSpace> {
    return { freeBytes: await this.diskSpace.free(), reserveBytes: this.#reserveBytes };
  }

  watchSpace(tell: (event: SpaceEvent) => void): void {
    if (this.#watching) return;
    this.#watching = true;
    if (this.#reserveBytes === 0) {
      // An earlier reserve may have left one.
      rm(ballastFile(this.#dataDir), { force: true }).catch((error) => tell({ kind: "failed", error }));
      return;
    }
    const ballast = new Ballast({
      dataDir: this.#dataDir,
      reserveBytes: this.#reserveBytes,
      freeBytes: async () => {
        const { bavail, bsize } = await this.#statfs(this.#dataDir);
        return bavail * bsize;
      },
    });
    let adjusting = false;
    let failing = false;
    const adjust = async () => {
      if (adjusting) return;
      adjusting = true;
      try {
        const event = await ballast.adjust();
        failing = false;
        if (event) tell(event);
      } catch (error) {
        // Reported once instead of every second.
        if (!failing) tell({ kind: "failed", error });
        failing = true;
      } finally {
        adjusting = false;
      }
    };
    void adjust();
    setInterval(adjust, WATCH_INTERVAL_MS).unref();
  }

  /**
   * Moves an empty folder from `uploads` to `files`. Mounts of their own make that impossible (EXDEV), even mounts of
   * one file system, which `stat` does not tell apart.
   * @returns false if the disk is full and nothing could be tried
   */
  async #tryRename(): Promise<boolean> {
    const id = randomUUID();
    // The sweeper removes the folder from `uploads`; no list shows the one in `files`.
    const [from, to] = [join(this.uploads, `rename~${id}`), join(this.files, `.rename-${id}`)];
    try {
      await mkdir(from, { mode: 0o700 });
    } catch (error) {
      // A full disk is no reason to answer nothing: room is made by requests.
      if (FULL.has(codeOf(error) ?? "")) return false;
      throw error;
    }
    try {
      await rename(from, to);
    } catch (error) {
      await rmdir(from).catch(() => {});
      throw error;
    }
    await rmdir(to);
    return true;
  }

  async *#walk(folder: string, prefix: string): AsyncGenerator<{ key: string; size: number; lastModified: Date }> {
    const entries = await this.unlessGone(
      (async () => {
        if (folder) await this.assertInside(`${folder}/.`);
        return opendir(join(this.files, folder));
      })(),
    );
    for await (const entry of entries ?? []) {
      const key = folder ? `${folder}/${entry.name}` : entry.name;
      if (!key.startsWith(prefix)) continue;
      if (entry.isDirectory()) {
        yield* this.#walk(key, prefix);
      } else if (entry.isFile()) {
        const found = await this.unlessGone(lstat(join(this.files, key)));
        if (found) yield { key, size: found.size, lastModified: found.mtime };
      }
    }
  }
}
