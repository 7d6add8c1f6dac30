import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { StorageError } from "../driver";
import { DiskDriver } from ".";
import { FileHash } from "./file-hash";

const MIB = 1024 * 1024;
const ZIP = "application/zip";
const CHILD = fileURLToPath(new URL("../testing/disk-child.ts", import.meta.url));
const NODE = ["--import", "tsx", CHILD];

/** Whether this machine lets an ordinary process mount a small file system of its own. */
const canMount = await promisify(execFile)("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).then(
  () => true,
  () => false,
);

let dataDir: string;
let driver: DiskDriver;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "slipway-disk-"));
  driver = new DiskDriver({ dataDir });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const newKey = () => `installers/${randomUUID()}`;
const put = (key: string, bytes: Buffer) =>
  driver.put(key, Readable.from([bytes]), { contentType: ZIP, maxBytes: Math.max(1, bytes.length) });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing failed",
    (error) => (error instanceof StorageError ? error.failure : String(error)),
  );
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const tomorrow = () => new Date(Date.now() + DAY_MS);

/** A body that gives some bytes and then stands still until it is ended; `taken` says that they have been read. */
function halting(bytes: Uint8Array): { body: Readable; taken: Promise<void> } {
  const taken = Promise.withResolvers<void>();
  let given = false;
  const body = new Readable({
    highWaterMark: 1,
    read() {
      if (given) return taken.resolve();
      given = true;
      this.push(bytes);
    },
  });
  return { body, taken: taken.promise };
}

describe("files", () => {
  it("lie at their keys, readable by nobody else, with nothing beside them", async () => {
    await put("installers/a", randomBytes(10));
    expect(await readdir(join(dataDir, "files", "installers"))).toEqual(["a"]);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    expect((await stat(join(dataDir, "files", "installers", "a"))).mode & 0o077).toBe(0);
    expect((await stat(join(dataDir, "files"))).mode & 0o077).toBe(0);
  });

  it("keep their old bytes when a put under the same key fails", async () => {
    const key = newKey();
    const bytes = randomBytes(100);
    await put(key, bytes);
    const failing = driver.put(key, Readable.from([randomBytes(200)]), { contentType: ZIP, maxBytes: 150 });
    expect(await failureOf(failing)).toBe("too_large");
    expect((await buffer(await driver.get(key))).equals(bytes)).toBe(true);
  });

  it("hold one of two bodies that come under one key at once, never a mixture", async () => {
    const key = newKey();
    const bodies = [randomBytes(2 * MIB), randomBytes(2 * MIB)];
    await Promise.all(bodies.map((bytes) => put(key, bytes)));
    expect(bodies.map(sha256)).toContain(sha256(await buffer(await driver.get(key))));
  });

  it("fail a download with a StorageError when they shrink under it", async () => {
    const key = newKey();
    await put(key, randomBytes(4 * MIB));
    const stream = await driver.get(key);
    await truncate(join(dataDir, "files", key), MIB);
    expect(await failureOf(buffer(stream))).toBe("unavailable");
  });

  it("are not reached through a symbolic link", async () => {
    const outside = await mkdtemp(join(tmpdir(), "slipway-outside-"));
    await writeFile(join(outside, "secret"), "secret");
    await driver.prepare();
    await symlink(outside, join(dataDir, "files", "linked"));
    await mkdir(join(dataDir, "files", "installers"));
    await symlink(join(outside, "secret"), join(dataDir, "files", "installers", "link"));

    expect(await failureOf(driver.get("linked/secret"))).toBe("unavailable");
    expect(await failureOf(put("linked/new", randomBytes(1)))).toBe("unavailable");
    expect(await failureOf(driver.delete("linked/secret"))).toBe("unavailable");
    expect(await failureOf(all(driver.list("linked/")))).toBe("unavailable");
    expect(await failureOf(driver.get("installers/link"))).toBe("unavailable");
    expect(await driver.head("installers/link")).toBeNull();
    expect(await all(driver.list(""))).toEqual([]);
    expect(await readdir(outside)).toEqual(["secret"]);
    await rm(outside, { recursive: true });
  });
});

describe("a data folder", () => {
  it("that is a link itself serves as well", async () => {
    const link = `${dataDir}-link`;
    await symlink(dataDir, link);
    const linked = new DiskDriver({ dataDir: link });
    await linked.put("a/b", Readable.from([Buffer.from("x")]), { contentType: ZIP, maxBytes: 1 });
    expect(await text(await linked.get("a/b"))).toBe("x");
    await rm(link);
  });

  it("that goes away while the server runs is unavailable, and never looks like an empty store", async () => {
    const key = newKey();
    await put(key, randomBytes(10));
    await rename(join(dataDir, "files"), join(dataDir, "gone"));
    expect(await failureOf(driver.ping())).toBe("unavailable");
    expect(await failureOf(driver.head(key))).toBe("unavailable");
    expect(await failureOf(driver.get(key))).toBe("unavailable");
    expect(await failureOf(driver.delete(key))).toBe("unavailable");
    expect(await failureOf(all(driver.list("")))).toBe("unavailable");
    expect(await failureOf(put(key, randomBytes(10)))).toBe("unavailable");
    expect(await readdir(dataDir)).not.toContain("files");
  });

  it("that cannot be made is unavailable", async () => {
    await writeFile(join(dataDir, "file"), "");
    const blocked = new DiskDriver({ dataDir: join(dataDir, "file") });
    expect(await failureOf(blocked.prepare())).toBe("unavailable");
    expect(await failureOf(blocked.ping())).toBe("unavailable");
  });
});

describe("an upload in parts", () => {
  const size = 2 * MIB + 5;
  const bytes = randomBytes(size);
  const bytesOf = (number: number) => bytes.subarray((number - 1) * MIB, number * MIB);
  const begin = (key: string) => driver.createMultipart(key, { contentType: ZIP, size, partSize: MIB });
  const send = (key: string, uploadId: string, number: number, other?: Buffer) =>
    driver.putPart(key, uploadId, number, Readable.from([other ?? bytesOf(number)]));
  const held = (key: string, uploadId: string) => driver.listParts(key, uploadId);

  it("is joined by renaming one file, whose parts were written at their places", async () => {
    const key = newKey();
    const uploadId = await begin(key);
    for (const number of [3, 1, 2]) await send(key, uploadId, number);
    const [folder] = await readdir(join(dataDir, "uploads"));
    const { ino } = await stat(join(dataDir, "uploads", String(folder), "data"));
    await driver.completeMultipart(key, uploadId, await held(key, uploadId));
    expect((await stat(join(dataDir, "files", key))).ino).toBe(ino);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });

  it("lets the later of two senders of one part win, and ends the earlier one", async () => {
    const key = newKey();
    const uploadId = await begin(key);
    for (const number of [1, 3]) await send(key, uploadId, number);
    const slow = halting(randomBytes(MIB / 2));
    const ended = failureOf(driver.putPart(key, uploadId, 2, slow.body));
    await slow.taken;
    await send(key, uploadId, 2);
    expect(await ended).toBe("invalid_parts");
    expect(slow.body.destroyed).toBe(true);
    const parts = await held(key, uploadId);
    expect((await driver.completeMultipart(key, uploadId, parts)).sha256).toBe(sha256(bytes));
  });

  it("keeps a part that is being sent when a request for it whose client has gone away is handled later", async () => {
    const key = newKey();
    const uploadId = await begin(key);
    const { body, taken } = halting(bytesOf(1).subarray(0, MIB / 2));
    const sending = driver.putPart(key, uploadId, 1, body);
    await taken;
    const gone = AbortSignal.abort(new Error("gone"));
    expect(await failureOf(driver.putPart(key, uploadId, 1, Readable.from([bytesOf(1)]), { signal: gone }))).toBe(
      "Error: gone",
    );
    body.push(bytesOf(1).subarray(MIB / 2));
    body.push(null);
    await sending;
    for (const number of [2, 3]) await send(key, uploadId, number);
    expect(await driver.completeMultipart(key, uploadId, await held(key, uploadId))).toMatchObject({ size });
  });

  it.each(["is being sent", "has arrived"])(
    "keeps a part that %s when a request for it that arrived earlier is handled later",
    async (state) => {
      const key = newKey();
      const uploadId = await begin(key);
      const [earlier, later] = [newId(), newId()];
      const { body, taken } = halting(bytesOf(1).subarray(0, MIB / 2));
      const sending = driver.putPart(key, uploadId, 1, body, { requestId: later });
      await taken;
      const end = async () => {
        body.push(bytesOf(1).subarray(MIB / 2));
        body.push(null);
        await sending;
      };
      if (state === "has arrived") await end();
      const late = driver.putPart(key, uploadId, 1, Readable.from([randomBytes(MIB)]), { requestId: earlier });
      expect(await failureOf(late)).toBe("invalid_parts");
      if (state === "is being sent") await end();
      for (const number of [2, 3]) await send(key, uploadId, number);
      const joined = await driver.completeMultipart(key, uploadId, await held(key, uploadId));
      expect(joined).toEqual({ size, sha256: sha256(bytes) });
    },
  );

  it("does not count a part any more while it is being sent again", async () => {
    const key = newKey();
    const uploadId = await begin(key);
    await send(key, uploadId, 1);
    const abort = new AbortController();
    const again = halting(randomBytes(MIB / 2));
    const ended = failureOf(driver.putPart(key, uploadId, 1, again.body, { signal: abort.signal }));
    await again.taken;
    expect(await new DiskDriver({ dataDir }).listParts(key, uploadId)).toEqual([]);
    abort.abort(new Error("gone"));
    expect(await ended).toBe("Error: gone");
    for (const number of [1, 2, 3]) await send(key, uploadId, number);
    const parts = await held(key, uploadId);
    expect((await driver.completeMultipart(key, uploadId, parts)).sha256).toBe(sha256(bytes));
  });

  it("hashes what the file holds in the end, though parts were hashed and then replaced", async () => {
    const key = newKey();
    const uploadId = await begin(key);
    for (const number of [1, 2, 3]) await send(key, uploadId, number, randomBytes(bytesOf(number).length));
    for (const number of [2, 1, 3]) await send(key, uploadId, number);
    const parts = await held(key, uploadId);
    expect(await driver.completeMultipart(key, uploadId, parts)).toEqual({ size, sha256: sha256(bytes) });
  });

  it("is aborted together with the calls that are still sending to it", async () => {
    const key = newKey();
    const uploadId = await begin(key);
    const sender = halting(randomBytes(10));
    const sending = failureOf(driver.putPart(key, uploadId, 1, sender.body));
    await sender.taken;
    await driver.abortMultipart(key, uploadId);
    expect(await sending).toBe("missing");
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });

  it("is not joined if it is aborted while its hash is computed, and waiting callers get an error", async () => {
    const key = newKey();
    const uploadId = await begin(key);
    const pipe = join(dataDir, "pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    const other = new FileHash(pipe);
    // Until somebody opens the pipe to write, no other file is hashed either.
    other.advance(1);
    for (const number of [1, 2, 3]) await send(key, uploadId, number);
    const joining = failureOf(driver.completeMultipart(key, uploadId, await held(key, uploadId)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await driver.abortMultipart(key, uploadId);
    expect(await joining).toBe("missing");
    expect(await driver.head(key)).toBeNull();
    const writer = await open(pipe, "r+");
    await failureOf(other.digest());
    await writer.close();
  });

  it.each([
    ["between the rename and the removal of the folder", 0],
    ["in the middle of the removal of the folder", 1],
  ])("is complete after a crash %s", async (_moment, removed) => {
    const key = newKey();
    const uploadId = await begin(key);
    for (const number of [1, 2, 3]) await send(key, uploadId, number);
    const parts = await held(key, uploadId);
    const [name = ""] = await readdir(join(dataDir, "uploads"));
    const folder = join(dataDir, "uploads", name);
    await mkdir(join(dataDir, "files", "installers"));
    await rename(join(folder, "data"), join(dataDir, "files", key));
    for (const { number, etag } of parts.slice(0, removed)) await rm(join(folder, `${number}.${etag}`));
    const restarted = new DiskDriver({ dataDir });
    // A part that seems to be missing could not be sent again.
    expect(await failureOf(restarted.listParts(key, uploadId))).toBe("missing");
    expect(await restarted.completeMultipart(key, uploadId, parts)).toEqual({ size, sha256: sha256(bytes) });
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });

  it("is refused as full at once where the disk has no room for it", async () => {
    const upload = { contentType: ZIP, size: 2 ** 50, partSize: 2 ** 40 };
    expect(await failureOf(driver.createMultipart(newKey(), upload))).toBe("full");
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });

  it("takes no memory of its size: an empty one of 20 GiB occupies next to nothing", async () => {
    const upload = { contentType: ZIP, size: 20 * 1024 * MIB, partSize: 64 * MIB };
    const uploadId = await driver.createMultipart("installers/sparse", upload);
    const [folder] = await readdir(join(dataDir, "uploads"));
    const { size, blocks } = await stat(join(dataDir, "uploads", String(folder), "data"));
    expect(size).toBe(upload.size);
    expect(blocks * 512).toBeLessThan(MIB);
    await driver.abortMultipart("installers/sparse", uploadId);
  });
});

describe("a server that is killed", () => {
  /** Runs the child until it has written half of what it wants, then kills it. */
  async function killHalfWay(...args: string[]) {
    const child = spawn(process.execPath, [...NODE, dataDir, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    expect(String(said)).toBe("half\n");
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  it("in the middle of a part leaves a part that has not arrived, and the upload goes on", async () => {
    const key = newKey();
    const bytes = randomBytes(8 * MIB);
    const uploadId = await driver.createMultipart(key, { contentType: ZIP, size: bytes.length, partSize: 4 * MIB });
    await driver.putPart(key, uploadId, 1, Readable.from([bytes.subarray(0, 4 * MIB)]));
    await killHalfWay("part", key, uploadId, "2", String(4 * MIB));
    const restarted = new DiskDriver({ dataDir });
    expect((await restarted.listParts(key, uploadId)).map(({ number }) => number)).toEqual([1]);
    await restarted.putPart(key, uploadId, 2, Readable.from([bytes.subarray(4 * MIB)]));
    const parts = await restarted.listParts(key, uploadId);
    expect((await restarted.completeMultipart(key, uploadId, parts)).sha256).toBe(sha256(bytes));
  });

  it("in the middle of a put leaves no object, and what is left the sweeper takes", async () => {
    const key = newKey();
    await killHalfWay("half", key, String(8 * MIB));
    expect(await driver.head(key)).toBeNull();
    expect(await all(driver.list(""))).toEqual([]);
    expect(await readdir(join(dataDir, "uploads"))).toHaveLength(1);
    expect(await driver.sweepUnfinished("installers/", new Date(Date.now() - 60_000))).toBe(0);
    expect(await driver.sweepUnfinished("images/", tomorrow())).toBe(0);
    expect(await driver.sweepUnfinished("installers/", tomorrow())).toBe(1);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });
});

// Only where an ordinary process may mount: disk-space.test.ts and disk-mounts.test.ts say the same of any machine.
if (canMount) {
  /** Runs the child where something was mounted for it alone. */
  async function mounted(mount: string, ...args: string[]): Promise<string[]> {
    const child = [process.execPath, ...NODE, dataDir, ...args];
    const script = `${mount} && shift && exec "$@"`;
    const { stdout } = await promisify(execFile)("unshare", ["-rm", "sh", "-c", script, "sh", dataDir, ...child]);
    return stdout.trim().split("\n");
  }

  describe("a real file system", () => {
    it("that is full says so, and the put that met it leaves nothing", async () => {
      const said = await mounted('mount -t tmpfs -o size=8m tmpfs "$1"', "put", "installers/a", String(16 * MIB));
      expect(said).toEqual(["full", JSON.stringify({ left: [], unfinished: 0 })]);
    });

    it("whose two folders are mounts of their own is not ready, though it is one file system", async () => {
      await driver.prepare();
      expect(await mounted("true", "ping")).toEqual(["well"]);
      expect(await mounted('mount --bind "$1/files" "$1/files"', "ping")).toEqual(["unavailable EXDEV"]);
    });
  });
}
