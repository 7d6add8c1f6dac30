import "server-only";
import { createHash, createHmac } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { syncFolder } from "@/lib/storage/disk/folders";
import { BackupError } from "./errors";

// The backup folder:
//   <id>.json             what a backup contains, in clear; written last, so a backup without it is incomplete
//   <id>.tar.gz.age       the rows and the list of objects, encrypted
//   <id>.objects          the names of its objects' files, one per line
//   objects/<recipients>/<2 digits>/<content>-<SHA-256>.age
//                         an object, encrypted, once for all backups. <content> depends on its bytes and the deployment
//                         and shows nothing of them; <SHA-256> is that of the file itself

export const SUMMARY_FORMAT = 1;
const SUMMARY = ".json";
const ARCHIVE = ".tar.gz.age";
const OBJECT_LIST = ".objects";
const OBJECTS = "objects";
/** The suffix of a file that is being written. */
const DRAFT = ".draft";

const hex64 = z.string().regex(/^[0-9a-f]{64}$/);
const fileSchema = z.strictObject({ bytes: z.number().int().min(0), sha256: hex64 });

/** What is known of a backup without a key. */
const summarySchema = z.object({
  format: z.literal(SUMMARY_FORMAT),
  id: z.string().regex(/^\d{8}T\d{6}Z(-\d+)?$/),
  createdAt: z.iso.datetime(),
  /** The version of the console. */
  version: z.string(),
  /** Identifies the deployment; not its address. */
  deployment: z.string(),
  /** The public keys that it is encrypted for. */
  recipients: z.array(z.string()),
  tables: z.number().int(),
  rows: z.number().int(),
  /** Objects, and bytes of their content. */
  objects: z.number().int(),
  objectBytes: z.number().int(),
  archive: fileSchema,
  objectList: fileSchema,
});
export type BackupSummary = z.output<typeof summarySchema>;

/** A file of the backup folder with an object. */
interface ObjectFile {
  /** Relative to the folder. */
  path: string;
  bytes: number;
}

/** The text of a summary's file, with a checksum of it. */
function summaryText(summary: BackupSummary): string {
  const sha256 = createHash("sha256").update(JSON.stringify(summary)).digest("hex");
  return `${JSON.stringify({ ...summary, sha256 }, null, 2)}\n`;
}

const OBJECT_PATH = /^objects\/[0-9a-f]{16}\/[0-9a-f]{2}\/([0-9a-f]{64})-([0-9a-f]{64})\.age$/;

/** The SHA-256 of an object's file, which is part of its name. @throws BackupError damaged */
export function sha256OfPath(path: string): string {
  const sha256 = OBJECT_PATH.exec(path)?.[2];
  if (!sha256) throw new BackupError("damaged", `${path} is not the name of an object`);
  return sha256;
}

/** The folder of the objects that are encrypted for these recipients: those of others do not open with their identities. */
function recipientsId(recipients: readonly string[]): string {
  return createHash("sha256")
    .update([...recipients].sort().join("\n"))
    .digest("hex")
    .slice(0, 16);
}

/** The part of an object's name that is the same in every backup of a deployment. */
export function contentId(deploymentId: string, sha256: string): string {
  return createHmac("sha256", deploymentId).update(sha256).digest("hex");
}

/** The size and SHA-256 of a file. */
interface FileDigest {
  bytes: number;
  sha256: string;
}

/** The size and SHA-256 of what a stream yields. */
async function* digested(content: AsyncIterable<Uint8Array>, done: (digest: FileDigest) => void) {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  done({ bytes, sha256: hash.digest("hex") });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** A folder with the backups of one deployment. */
export class BackupFolder {
  constructor(readonly path: string) {}

  /** Creates the folder, and removes what an interrupted backup left of the files that it was writing. */
  async prepare(): Promise<void> {
    await mkdir(join(this.path, OBJECTS), { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.path, { recursive: true })) {
      if (name.endsWith(DRAFT)) await rm(join(this.path, name), { force: true });
    }
  }

  /** The archive's file, relative to the folder. */
  archiveName(id: string): string {
    return `${id}${ARCHIVE}`;
  }

  /** The complete backups, the oldest first. */
  async list(): Promise<BackupSummary[]> {
    const names = await readdir(this.path).catch((error) => {
      if (isMissing(error)) throw new BackupError("missing", `${this.path} does not exist`);
      throw error;
    });
    const ids = names.filter((name) => name.endsWith(SUMMARY)).map((name) => basename(name, SUMMARY));
    return Promise.all(ids.sort().map((id) => this.read(id)));
  }

  /** @throws BackupError missing, newer or damaged */
  async read(id: string): Promise<BackupSummary> {
    const file = `${id}${SUMMARY}`;
    let text = "";
    let json: unknown;
    try {
      text = await readFile(join(this.path, file), "utf8");
      json = JSON.parse(text);
    } catch (cause) {
      if (isMissing(cause)) throw new BackupError("missing", `there is no complete backup ${id} in ${this.path}`);
      throw new BackupError("damaged", `${file} is damaged: it was changed or cut short`, { cause });
    }
    const format = (json as { format?: unknown } | null)?.format;
    if (typeof format === "number" && format > SUMMARY_FORMAT) {
      throw new BackupError(
        "newer",
        `${file} was written by a newer version of Slipway; use that version or a later one`,
      );
    }
    const summary = summarySchema.safeParse(json);
    if (!summary.success || summary.data.id !== id || text !== summaryText(summary.data)) {
      throw new BackupError("damaged", `${file} is damaged: it was changed or cut short`);
    }
    return summary.data;
  }

  /** The latest complete backup. @throws BackupError missing */
  async latest(): Promise<BackupSummary> {
    const latest = (await this.list()).at(-1);
    if (!latest) throw new BackupError("missing", `there is no complete backup in ${this.path}`);
    return latest;
  }

  /** An ID for a backup that begins now. */
  async newId(now: Date): Promise<string> {
    const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
    const names = new Set(await readdir(this.path));
    const isFree = (id: string) => ![SUMMARY, ARCHIVE, OBJECT_LIST].some((suffix) => names.has(`${id}${suffix}`));
    for (let number = 1; ; number++) {
      const id = number === 1 ? time : `${time}-${number}`;
      if (isFree(id)) return id;
    }
  }

  /** Writes a file, whole or not at all. @param path relative to the folder, or what names it once its digest is known */
  async write(
    path: string | ((digest: FileDigest) => string),
    content: AsyncIterable<Uint8Array>,
  ): Promise<ObjectFile & FileDigest> {
    const draft = join(this.path, `${typeof path === "string" ? path : `${OBJECTS}/${crypto.randomUUID()}`}${DRAFT}`);
    let digest: FileDigest = { bytes: 0, sha256: "" };
    try {
      await pipeline(
        Readable.from(
          digested(content, (result) => {
            digest = result;
          }),
        ),
        createWriteStream(draft, { mode: 0o600, flush: true }),
      );
      const final = typeof path === "string" ? path : path(digest);
      const target = join(this.path, final);
      const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(draft, target);
      await syncFolder(dirname(target));
      if (made) await syncFolder(dirname(made));
      return { path: final, ...digest };
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Writes the archive of a backup. */
  writeArchive(id: string, content: AsyncIterable<Uint8Array>): Promise<FileDigest> {
    return this.write(`${id}${ARCHIVE}`, content);
  }

  /** Completes a backup. */
  async writeSummary(summary: Omit<BackupSummary, "objectList">, objects: readonly string[]): Promise<BackupSummary> {
    const { bytes, sha256 } = await this.write(
      `${summary.id}${OBJECT_LIST}`,
      Readable.from([
        Buffer.from(
          [...new Set(objects)]
            .sort()
            .map((path) => `${path}\n`)
            .join(""),
        ),
      ]),
    );
    const complete = { ...summary, objectList: { bytes, sha256 } };
    await this.write(`${summary.id}${SUMMARY}`, Readable.from([Buffer.from(summaryText(complete))]));
    return complete;
  }

  /** The files of a backup's objects. @throws BackupError damaged */
  async objectsOf({ id, objectList }: BackupSummary): Promise<string[]> {
    const file = `${id}${OBJECT_LIST}`;
    const text = await readFile(join(this.path, file)).catch((cause) => {
      throw new BackupError("damaged", `${file} cannot be read`, { cause });
    });
    if (createHash("sha256").update(text).digest("hex") !== objectList.sha256) {
      throw new BackupError("damaged", `${file} is damaged: it was changed or cut short`);
    }
    return text.toString("utf8").split("\n").filter(Boolean);
  }

  /** The files of objects that are encrypted for these recipients, by the part of their names that stands for their content. */
  async findObjects(recipients: readonly string[]): Promise<Map<string, ObjectFile>> {
    const found = new Map<string, ObjectFile>();
    for await (const file of this.#walkObjects(recipientsId(recipients))) {
      const content = OBJECT_PATH.exec(file.path)?.[1];
      if (content) found.set(content, file);
    }
    return found;
  }

  async *#walkObjects(recipients?: string): AsyncGenerator<ObjectFile> {
    const root = join(OBJECTS, ...(recipients === undefined ? [] : [recipients]));
    const names = await readdir(join(this.path, root), { recursive: true }).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const name of names) {
      if (!name.endsWith(".age")) continue;
      const path = join(root, name).replaceAll("\\", "/");
      yield { path, bytes: (await stat(join(this.path, path))).size };
    }
  }

  /** Writes an object's file. @param content its content, encrypted */
  async writeObject(
    content: AsyncIterable<Uint8Array>,
    { recipients, contentId }: { recipients: readonly string[]; contentId: string },
  ): Promise<ObjectFile> {
    return this.write(
      ({ sha256 }) => `${OBJECTS}/${recipientsId(recipients)}/${contentId.slice(0, 2)}/${contentId}-${sha256}.age`,
      content,
    );
  }

  /** The bytes of a file of the folder. @throws BackupError damaged if it cannot be read */
  async *open(path: string): AsyncGenerator<Uint8Array> {
    try {
      yield* createReadStream(join(this.path, path), { highWaterMark: 256 * 1024 });
    } catch (cause) {
      throw new BackupError("damaged", `${path} ${isMissing(cause) ? "is missing" : "cannot be read"}`, { cause });
    }
  }

  /** The digest of a file. @throws BackupError damaged if it cannot be read */
  async digest(path: string): Promise<FileDigest> {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of this.open(path)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, sha256: hash.digest("hex") };
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.path, path), { force: true });
  }

  /**
   * Removes backups, and the objects that no remaining backup needs. The summary goes first, so an interruption leaves no
   * backup that looks complete.
   * @returns the number and bytes of removed objects
   */
  async removeBackups(ids: readonly string[]): Promise<{ objects: number; bytes: number }> {
    for (const id of ids) {
      for (const suffix of [SUMMARY, ARCHIVE, OBJECT_LIST]) await this.remove(`${id}${suffix}`);
    }
    const needed = new Set<string>();
    const complete = await this.list();
    for (const summary of complete) for (const path of await this.objectsOf(summary)) needed.add(path);
    const known = new Set(complete.map(({ id }) => id));
    for (const name of await readdir(this.path)) {
      const suffix = [ARCHIVE, OBJECT_LIST].find((end) => name.endsWith(end));
      // What an interrupted backup left.
      if (suffix && !known.has(basename(name, suffix))) await this.remove(name);
    }
    const removed = { objects: 0, bytes: 0 };
    for await (const { path, bytes } of this.#walkObjects()) {
      if (needed.has(path)) continue;
      await this.remove(path);
      removed.objects += 1;
      removed.bytes += bytes;
    }
    return removed;
  }
}
