import { constants } from "node:fs";
import { access, type FileHandle, lstat, mkdir, open, realpath, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assertKey, StorageError } from "../driver";
import { codeOf, diskError, GONE, rethrow } from "./errors";

/**
 * Makes a new or removed name durable, so that it survives a loss of power. Windows has no such call and needs none.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The two folders of a disk store: `files` holds the objects at their keys, `uploads` what is under way. */
export class DiskFolders {
  protected readonly files: string;
  protected readonly uploads: string;
  #prepared: Promise<void> | undefined;

  constructor(dataDir: string) {
    this.files = join(dataDir, "files");
    this.uploads = join(dataDir, "uploads");
  }

  /** Creates the two folders once. A volume that is missing later is `unavailable`, not an empty store. */
  async prepare(): Promise<void> {
    this.#prepared ??= (async () => {
      for (const folder of [this.files, this.uploads]) await mkdir(folder, { recursive: true, mode: 0o700 });
    })();
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw diskError(error);
    }
  }

  async head(key: string): Promise<{ size: number } | null> {
    const path = this.locate(key);
    await this.prepare();
    const found = await this.unlessGone(lstat(path));
    return found?.isFile() ? { size: found.size } : null;
  }

  protected locate(key: string): string {
    assertKey(key);
    return join(this.files, key);
  }

  /** The answer, or null if the thing is not there but the store is. */
  protected async unlessGone<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      if (!GONE.has(codeOf(error) ?? "")) throw diskError(error);
      await access(this.files).catch(rethrow);
      return null;
    }
  }

  /**
   * @throws StorageError if a folder in the path of the key is a link to another place; the error of a missing folder
   */
  protected async assertInside(key: string): Promise<void> {
    const folder = dirname(key);
    if ((await realpath(join(this.files, folder))) !== join(await realpath(this.files), folder)) {
      throw new StorageError("unavailable", { cause: new Error("a folder of the store is a symbolic link") });
    }
  }

  protected async openInside(key: string, path: string): Promise<FileHandle> {
    await this.assertInside(key);
    return open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  }

  protected async create(path: string): Promise<FileHandle> {
    return open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600).catch(rethrow);
  }

  /** Gives a synced file its final name, and makes that last. */
  protected async publish(from: string, key: string, target: string): Promise<void> {
    try {
      // The store's own folder is not created here: if it is missing, the volume is not mounted.
      await access(this.files);
      const folder = dirname(target);
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      await this.assertInside(key);
      await rename(from, target);
      try {
        await syncFolder(folder);
        for (let path = folder; made && path.length >= made.length; path = dirname(path))
          await syncFolder(dirname(path));
      } catch (error) {
        await unlink(target).catch(() => {});
        throw error;
      }
    } catch (error) {
      throw diskError(error);
    }
  }
}

/** A key or its prefix as the beginning of one file name; keys hold no `+` and no `~`. */
export function flat(key: string): string {
  return key.replaceAll("/", "+");
}

export async function lastChange(path: string): Promise<number> {
  return lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Yields the same chunks. @throws StorageError of the given kind after more than `maxBytes` */
export async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  failure: "too_large" | "invalid_parts",
): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > maxBytes) throw new StorageError(failure);
    yield chunk;
  }
}
