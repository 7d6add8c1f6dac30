import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "@/lib/kernel/time";
import { describeWith } from "@/lib/testing/describe-with";
import { findTestS3, NoS3Server, type S3Server } from "@/scripts/versitygw";
import { DiskDriver } from "./disk";
import { JOINED, type StorageDriver, StorageError, type StoredPart } from "./driver";
import { S3Driver } from "./s3";
import { formatUploadId } from "./upload-id";

const MIB = 1024 * 1024;
const PART = 5 * MIB;
const ZIP = "application/zip";

/** A store to run the suite on; each call gives a new driver on the same store, as a restarted server has it. */
interface Store {
  name: string;
  connect(): StorageDriver;
  /** Sends a part as clients do: to a presigned URL, or through this server. @returns whether it was taken */
  sendPart(driver: StorageDriver, key: string, uploadId: string, number: number, bytes: Buffer): Promise<boolean>;
  /** Begins to send a part of `length` bytes, and goes away after the given ones. */
  tearPart(
    driver: StorageDriver,
    key: string,
    uploadId: string,
    number: number,
    bytes: Buffer,
    length: number,
  ): Promise<void>;
}

const s3 = await findTestS3();
const folder = await mkdtemp(join(tmpdir(), "slipway-storage-"));
const bucket = `test-${randomUUID()}`;

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  if (!(s3 instanceof NoS3Server)) await s3.stop();
});

function onDisk(): Store {
  return {
    name: "disk",
    connect: () => new DiskDriver({ dataDir: folder }),
    async sendPart(driver, key, uploadId, number, bytes) {
      expect(await driver.presignPart(key, uploadId, number, 60)).toBeNull();
      const failure = await failureOf((driver as DiskDriver).putPart(key, uploadId, number, streamOf(bytes)));
      return failure === "nothing failed";
    },
    async tearPart(driver, key, uploadId, number, bytes) {
      const cut = new Error("the client went away");
      const body = Readable.from(
        (function* () {
          yield bytes;
          throw cut;
        })(),
        { objectMode: false },
      );
      await expect((driver as DiskDriver).putPart(key, uploadId, number, body)).rejects.toBe(cut);
    },
  };
}

function onS3(server: S3Server): Store {
  return {
    name: "S3",
    connect: () =>
      new S3Driver({
        endpoint: server.endpoint,
        region: server.region,
        bucket,
        accessKeyId: server.accessKey,
        secretAccessKey: server.secretKey,
        forcePathStyle: true,
      }),
    async sendPart(driver, key, uploadId, number, bytes) {
      const url = await driver.presignPart(key, uploadId, number, 60);
      // A server that refuses may close the connection before the body is through.
      return fetch(String(url), { method: "PUT", body: new Uint8Array(bytes) }).then(
        (response) => response.ok,
        () => false,
      );
    },
    async tearPart(driver, key, uploadId, number, bytes, length) {
      const url = new URL(String(await driver.presignPart(key, uploadId, number, 60)));
      const request = httpRequest(url, { method: "PUT", headers: { "content-length": length } });
      const closed = new Promise<void>((resolve) => request.once("close", resolve).on("error", () => {}));
      request.write(bytes, () => setTimeout(() => request.destroy(), 100));
      await closed;
      await sleep(300);
    },
  };
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A stream of the bytes in chunks as sockets give them. */
function streamOf(bytes: Buffer, chunkSize = 65_536): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
    })(),
    { objectMode: false },
  );
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => "nothing failed",
    (thrown) => thrown,
  );
  return error instanceof StorageError ? error.failure : String(error);
}

/** What every store promises. */
function keepsTheContract(store: Store): void {
  const driver = store.connect();
  const newKey = () => `installers/${randomUUID()}`;
  const put = (key: string, bytes: Buffer) =>
    driver.put(key, streamOf(bytes), { contentType: ZIP, maxBytes: Math.max(1, bytes.length) });
  const tomorrow = () => new Date(Date.now() + DAY_MS);

  async function expectNothingLeft(key: string) {
    expect(await driver.head(key)).toBeNull();
    expect(await all(driver.list(key))).toEqual([]);
    expect(await driver.sweepUnfinished(key, tomorrow())).toBe(0);
  }

  beforeAll(() => driver.prepare());

  it("keeps its objects when it is prepared again", async () => {
    const key = newKey();
    await put(key, randomBytes(10));
    const another = store.connect();
    await another.prepare();
    expect(await another.ping()).toBeUndefined();
    expect(await another.head(key)).toEqual({ size: 10 });
  });

  describe("put and get", () => {
    it.each([0, 1, 65_537, 5 * MIB, 5 * MIB + 1, 20 * MIB])("gives back the %i bytes that were put", async (size) => {
      const key = newKey();
      const bytes = randomBytes(size);
      expect(await put(key, bytes)).toEqual({ size, sha256: sha256(bytes) });
      expect(await driver.head(key)).toEqual({ size });
      expect((await buffer(await driver.get(key))).equals(bytes)).toBe(true);
    });

    it("takes a web stream as well, and leaves its lock", async () => {
      const key = newKey();
      const bytes = randomBytes(300_000);
      const body = new Blob([bytes]).stream() as import("node:stream/web").ReadableStream<Uint8Array>;
      expect(await driver.put(key, body, { contentType: ZIP, maxBytes: 300_000 })).toEqual({
        size: 300_000,
        sha256: sha256(bytes),
      });
      expect(body.locked).toBe(false);
    });

    it("gives a body back each of its chunks, and looks at none of them again", async () => {
      const key = newKey();
      const bytes = randomBytes(11 * MIB + 5);
      let chunks = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const at = chunks * 65_536;
            if (at >= bytes.length) return controller.close();
            chunks += 1;
            controller.enqueue(Uint8Array.from(bytes.subarray(at, at + 65_536)));
          },
        },
        { highWaterMark: 0 },
      );
      let returned = 0;
      const recycle = (chunk: Uint8Array) => {
        returned += 1;
        chunk.fill(0);
      };
      const given = Object.assign(body, { recycle });
      const { sha256: hash } = await driver.put(key, given, { contentType: ZIP, maxBytes: bytes.length });
      expect(hash).toBe(sha256(bytes));
      expect((await buffer(await driver.get(key))).equals(bytes)).toBe(true);
      expect(returned).toBe(chunks);
    });

    it("takes a body of very many tiny chunks", async () => {
      const key = newKey();
      const bytes = randomBytes(20_000);
      const { sha256: hash } = await driver.put(key, streamOf(bytes, 3), { contentType: ZIP, maxBytes: 20_000 });
      expect(hash).toBe(sha256(bytes));
      expect((await buffer(await driver.get(key))).equals(bytes)).toBe(true);
    });

    it("keeps puts that run at the same time apart", async () => {
      const files = Array.from({ length: 6 }, () => ({ key: newKey(), bytes: randomBytes(3 * MIB + 17) }));
      const stored = await Promise.all(files.map(({ key, bytes }) => put(key, bytes)));
      expect(stored.map((object) => object.sha256)).toEqual(files.map(({ bytes }) => sha256(bytes)));
      for (const { key, bytes } of files) expect((await buffer(await driver.get(key))).equals(bytes)).toBe(true);
    });

    it("replaces what was under the key before", async () => {
      const key = newKey();
      for (const size of [9 * MIB, 100]) await put(key, randomBytes(size));
      const bytes = randomBytes(200);
      await put(key, bytes);
      expect((await buffer(await driver.get(key))).equals(bytes)).toBe(true);
    });

    it("stops a body that is too large long before its end, leaves nothing and does not destroy it", async () => {
      const key = newKey();
      let given = 0;
      const endless = new Readable({
        read() {
          given += 65_536;
          this.push(Buffer.alloc(65_536));
        },
      });
      const failure = await failureOf(driver.put(key, endless, { contentType: ZIP, maxBytes: 10 * MIB }));
      expect(failure).toBe("too_large");
      expect(given).toBeLessThan(12 * MIB);
      expect(endless.destroyed).toBe(false);
      endless.destroy();
      await expectNothingLeft(key);
    });

    it.each([1, 9])("leaves nothing of a put that is aborted after %i MiB, and says why", async (mebibytes) => {
      const key = newKey();
      const reason = new Error("the caller went away");
      const abort = new AbortController();
      const body = Readable.from(
        (async function* () {
          yield randomBytes(mebibytes * MIB);
          setTimeout(() => abort.abort(reason), 50);
          await new Promise(() => {});
        })(),
      );
      const putting = driver.put(key, body, { contentType: ZIP, maxBytes: 100 * MIB, signal: abort.signal });
      await expect(putting).rejects.toBe(reason);
      await expectNothingLeft(key);
    });

    it("leaves nothing of a put whose web stream is aborted", async () => {
      const key = newKey();
      const abort = new AbortController();
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(1000));
          setTimeout(() => abort.abort(new Error("gone")), 20);
        },
      }) as import("node:stream/web").ReadableStream<Uint8Array>;
      const putting = driver.put(key, body, { contentType: ZIP, maxBytes: MIB, signal: abort.signal });
      await expect(putting).rejects.toThrow("gone");
      await expectNothingLeft(key);
    });

    it("leaves nothing of a put whose body fails, and passes the body's own error on", async () => {
      const key = newKey();
      const reason = new Error("connection lost");
      const body = Readable.from(
        (function* () {
          yield randomBytes(9 * MIB);
          throw reason;
        })(),
      );
      await expect(driver.put(key, body, { contentType: ZIP, maxBytes: 100 * MIB })).rejects.toBe(reason);
      await expectNothingLeft(key);
    });

    it("does not begin a put that was aborted before", async () => {
      const key = newKey();
      const putting = driver.put(key, streamOf(randomBytes(10)), {
        contentType: ZIP,
        maxBytes: 10,
        signal: AbortSignal.abort(new Error("too late")),
      });
      await expect(putting).rejects.toThrow("too late");
      await expectNothingLeft(key);
    });

    it("holds no more than a few megabytes of a body at once", async () => {
      setFlagsFromString("--expose-gc");
      const collectGarbage: () => void = runInNewContext("gc");
      const key = newKey();
      let base = 0;
      let peak = 0;
      const size = 128 * MIB;
      const body = Readable.from(
        (function* () {
          for (let sent = 0; sent < size; sent += 65_536) {
            // The first 32 MiB bring the buffers that every put needs.
            if (sent % (8 * MIB) === 0) {
              collectGarbage();
              const { rss } = process.memoryUsage();
              if (sent === 32 * MIB) base = rss;
              if (sent > 32 * MIB) peak = Math.max(peak, rss);
            }
            yield Buffer.allocUnsafeSlow(65_536).fill(sent % 251);
          }
        })(),
        { objectMode: false },
      );
      expect((await driver.put(key, body, { contentType: ZIP, maxBytes: size })).size).toBe(size);
      expect(base).toBeGreaterThan(0);
      expect((peak - base) / MIB).toBeLessThan(64);
      await driver.delete(key);
    }, 60_000);

    it("gives any range that the object holds, both ends included", async () => {
      const key = newKey();
      const bytes = randomBytes(1000);
      await put(key, bytes);
      for (const [start, end] of [
        [0, 0],
        [0, 999],
        [999, 999],
        [10, 19],
      ] as const) {
        expect((await buffer(await driver.get(key, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true);
      }
    });

    it("says missing of a range that the object does not hold whole", async () => {
      const key = newKey();
      await put(key, randomBytes(1000));
      expect(await failureOf(driver.get(key, { start: 1000, end: 1000 }))).toBe("missing");
      expect(await failureOf(driver.get(key, { start: 990, end: 1000 }))).toBe("missing");
      await put(key, Buffer.alloc(0));
      expect(await failureOf(driver.get(key, { start: 0, end: 0 }))).toBe("missing");
    });

    it.each([
      { start: -1, end: 5 },
      { start: 5, end: 4 },
      { start: 0.5, end: 4 },
      { start: 0, end: Number.NaN },
    ])("refuses the impossible range $start to $end", async (range) => {
      await expect(driver.get("installers/any", range)).rejects.toThrow(RangeError);
    });

    it("lets go of an object that is read only in part", async () => {
      const key = newKey();
      await put(key, randomBytes(9 * MIB));
      const stream = await driver.get(key);
      for await (const chunk of stream) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(stream.destroyed).toBe(true);
    });

    it("says missing of an object that is not there, and does not mind removing it", async () => {
      const key = newKey();
      expect(await driver.head(key)).toBeNull();
      expect(await failureOf(driver.get(key))).toBe("missing");
      await driver.delete(key);
      await put(key, randomBytes(10));
      await driver.delete(key);
      await driver.delete(key);
      expect(await driver.head(key)).toBeNull();
    });

    it("lists what is below a prefix, and only that, with size and time", async () => {
      const root = `list-${randomUUID()}`;
      const keys = [`${root}/a`, `${root}/b/c`, `${root}/b/d`, `${root}-other/e`];
      for (const [index, key] of keys.entries()) await put(key, randomBytes(index + 1));
      const found = await all(driver.list(`${root}/`));
      expect(found.map(({ key, size }) => [key, size]).sort()).toEqual([
        [`${root}/a`, 1],
        [`${root}/b/c`, 2],
        [`${root}/b/d`, 3],
      ]);
      for (const { lastModified } of found) expect(Math.abs(Date.now() - lastModified.getTime())).toBeLessThan(60_000);
      expect((await all(driver.list(`${root}/b/d`))).map(({ key }) => key)).toEqual([`${root}/b/d`]);
      expect(await all(driver.list(`${root}/none/`))).toEqual([]);
      expect((await all(driver.list(root))).length).toBe(4);
    });
  });

  describe("keys", () => {
    const hostile = [
      "",
      "/",
      "/a",
      "a/",
      "a//b",
      "..",
      "../a",
      "a/../b",
      "a/..",
      ".a",
      "a/.b",
      "a\\b",
      "a\0b",
      "a b",
      "a~b",
    ];
    it.each([...hostile, "ä", "x".repeat(151), "a\n"])("refuses %j everywhere", async (key) => {
      const upload = { contentType: ZIP, size: 1, partSize: 1 };
      const uploadId = formatUploadId(1, 1, randomUUID());
      const attempts: (() => Promise<unknown>)[] = [
        () => put(key, randomBytes(1)),
        () => driver.head(key),
        () => driver.get(key),
        () => driver.delete(key),
        () => driver.createMultipart(key, upload),
        () => driver.listParts(key, uploadId),
        () => driver.completeMultipart(key, uploadId, []),
        () => driver.abortMultipart(key, uploadId),
      ];
      if (driver.name === "s3") {
        attempts.push(
          () => driver.presignGet(key, { contentDisposition: "attachment", contentType: ZIP }, 60),
          () => driver.presignPart(key, uploadId, 1, 60),
        );
      }
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow(TypeError);
    });

    it("refuses a prefix that no key can begin with", async () => {
      await expect(all(driver.list("../"))).rejects.toThrow(TypeError);
      await expect(driver.sweepUnfinished("../", new Date())).rejects.toThrow(TypeError);
    });
  });

  describe("multipart uploads", () => {
    const size = 2 * PART + 1234;
    const bytes = randomBytes(size);
    const parts = [
      { number: 1, size: PART },
      { number: 2, size: PART },
      { number: 3, size: 1234 },
    ];
    const bytesOf = (number: number) => bytes.subarray((number - 1) * PART, Math.min(number * PART, size));
    const begin = (key: string) => driver.createMultipart(key, { contentType: ZIP, size, partSize: PART });
    const send = async (key: string, uploadId: string, number: number, other?: Buffer) =>
      expect(await store.sendPart(driver, key, uploadId, number, other ?? bytesOf(number))).toBe(true);
    const sent = (held: StoredPart[]) => held.map(({ number, etag }) => ({ number, etag }));

    it("take parts that pass through this server, of just their length", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      const bytes = randomBytes(size + 1);
      for (const length of [PART - 1, PART + 1]) {
        const sent = driver.putPart(key, uploadId, 1, streamOf(bytes.subarray(0, length)));
        expect(await failureOf(sent)).toBe("invalid_parts");
      }
      const whole = bytes.subarray(0, size);
      for (let number = 1; number <= Math.ceil(size / PART); number++) {
        await driver.putPart(key, uploadId, number, streamOf(whole.subarray((number - 1) * PART, number * PART)));
      }
      const parts = await driver.listParts(key, uploadId);
      expect(await driver.completeMultipart(key, uploadId, parts)).toEqual({ size, sha256: sha256(whole) });
    });

    it("joins parts that came out of order and at the same time", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      await Promise.all([3, 1, 2].map((number) => send(key, uploadId, number)));
      const held = await driver.listParts(key, uploadId);
      expect(held.map(({ number, size }) => ({ number, size }))).toEqual(parts);
      expect(await driver.completeMultipart(key, uploadId, sent(held))).toEqual({ size, sha256: sha256(bytes) });
      expect((await buffer(await driver.get(key))).equals(bytes)).toBe(true);
      expect(await driver.sweepUnfinished(key, tomorrow())).toBe(0);
    });

    it("shows nothing under the key before the parts are joined", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      await send(key, uploadId, 1);
      expect(await driver.head(key)).toBeNull();
      expect(await all(driver.list(key))).toEqual([]);
      await driver.abortMultipart(key, uploadId);
      await expectNothingLeft(key);
    });

    it("goes on where a restarted server finds it", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      await send(key, uploadId, 2);
      const restarted = store.connect();
      expect((await restarted.listParts(key, uploadId)).map(({ number }) => number)).toEqual([2]);
      for (const number of [1, 3]) {
        expect(await store.sendPart(restarted, key, uploadId, number, bytesOf(number))).toBe(true);
      }
      const held = await restarted.listParts(key, uploadId);
      expect(await restarted.completeMultipart(key, uploadId, sent(held))).toEqual({ size, sha256: sha256(bytes) });
    });

    it("takes the later bytes of a part that was sent twice, and knows the first ones no more", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      for (const number of [1, 2, 3]) await send(key, uploadId, number, number === 2 ? randomBytes(PART) : undefined);
      const before = sent(await driver.listParts(key, uploadId));
      await send(key, uploadId, 2);
      expect(await failureOf(driver.completeMultipart(key, uploadId, before))).toBe("invalid_parts");
      const held = sent(await driver.listParts(key, uploadId));
      expect(await driver.completeMultipart(key, uploadId, held)).toEqual({ size, sha256: sha256(bytes) });
    });

    it("refuses to join with a part missing, an etag wrong, parts in disorder or twice, and then goes on", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      for (const number of [1, 2]) await send(key, uploadId, number);
      const two = sent(await driver.listParts(key, uploadId));
      await send(key, uploadId, 3);
      const held = sent(await driver.listParts(key, uploadId)) as [StoredPart, StoredPart, StoredPart];
      const [first, second, third] = held;
      const wrong = [
        [],
        two,
        [first, third],
        [first, second, { number: 3, etag: second.etag }],
        [first, second, { number: 3, etag: "" }],
        [second, first, third],
        [first, first, second, third],
        [...held, { number: 4, etag: first.etag }],
      ];
      for (const list of wrong) {
        expect(await failureOf(driver.completeMultipart(key, uploadId, list))).toBe("invalid_parts");
        expect(await driver.head(key)).toBeNull();
      }
      expect((await driver.completeMultipart(key, uploadId, held)).sha256).toBe(sha256(bytes));
    });

    it("refuses to join while a part has not arrived, whatever etag is claimed for it", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      for (const number of [1, 2]) await send(key, uploadId, number);
      const held = sent(await driver.listParts(key, uploadId)) as [StoredPart, StoredPart];
      const claimed = [...held, { number: 3, etag: held[0].etag }];
      expect(await failureOf(driver.completeMultipart(key, uploadId, claimed))).toBe("invalid_parts");
      await driver.abortMultipart(key, uploadId);
    });

    it("gives the same answer when it is told to join again, also after a restart", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      for (const number of [1, 2, 3]) await send(key, uploadId, number);
      const held = sent(await driver.listParts(key, uploadId));
      const answers = await Promise.all([1, 2].map(() => driver.completeMultipart(key, uploadId, held)));
      answers.push(await store.connect().completeMultipart(key, uploadId, held));
      const forgotten = held.map(({ number }) => ({ number, etag: JOINED }));
      answers.push(await store.connect().completeMultipart(key, uploadId, forgotten));
      for (const answer of answers) expect(answer).toEqual({ size, sha256: sha256(bytes) });
    });

    it("refuses a part of another length, and numbers that no part has", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      for (const length of [PART - 1, PART + 1]) {
        expect(await store.sendPart(driver, key, uploadId, 1, randomBytes(length))).toBe(false);
      }
      expect(await store.sendPart(driver, key, uploadId, 3, randomBytes(PART))).toBe(false);
      expect(await driver.listParts(key, uploadId)).toEqual([]);
      if (driver.name === "s3") {
        for (const number of [0, -1, 1.5, 4, Number.NaN]) {
          expect(await failureOf(driver.presignPart(key, uploadId, number, 60))).toBe("invalid_parts");
        }
      }
      await driver.abortMultipart(key, uploadId);
    });

    it("never joins a part whose sender was cut off as if it were whole", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      for (const number of [1, 3]) await send(key, uploadId, number);
      await store.tearPart(driver, key, uploadId, 2, bytesOf(2).subarray(0, MIB), PART);
      const held = sent(await driver.listParts(key, uploadId));
      expect(await failureOf(driver.completeMultipart(key, uploadId, held))).toBe("invalid_parts");
      expect(await driver.head(key)).toBeNull();
      await driver.abortMultipart(key, uploadId);
      await expectNothingLeft(key);
    });

    it("takes a part whole that was cut off before", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      for (const number of [1, 3]) await send(key, uploadId, number);
      await store.tearPart(driver, key, uploadId, 2, bytesOf(2).subarray(0, MIB), PART);
      await send(key, uploadId, 2);
      const held = sent(await driver.listParts(key, uploadId));
      expect((await driver.completeMultipart(key, uploadId, held)).sha256).toBe(sha256(bytes));
    });

    it("refuses an upload that cannot be", async () => {
      for (const [size, partSize] of [
        [0, PART],
        [-1, PART],
        [PART, 0],
        [10_001, 1],
        [Number.NaN, 1],
      ] as const) {
        await expect(driver.createMultipart(newKey(), { contentType: ZIP, size, partSize })).rejects.toThrow(
          RangeError,
        );
      }
    });

    it("says missing of an upload that is not there, belongs to another key or was aborted", async () => {
      const key = newKey();
      const uploadId = await begin(key);
      await send(key, uploadId, 1);
      const { etag } = (await driver.listParts(key, uploadId))[0] as StoredPart;
      const three = parts.map(({ number }) => ({ number, etag }));
      expect(await failureOf(driver.listParts(newKey(), uploadId))).toBe("missing");
      expect(await failureOf(driver.completeMultipart(newKey(), uploadId, three))).toBe("missing");
      for (const id of ["", "../../files", "nonsense", "1.1.../x", formatUploadId(size, PART, randomUUID())]) {
        expect(await failureOf(driver.listParts(key, id))).toBe("missing");
      }
      await driver.abortMultipart(key, uploadId);
      await driver.abortMultipart(key, uploadId);
      expect(await failureOf(driver.listParts(key, uploadId))).toBe("missing");
      expect(await store.sendPart(driver, key, uploadId, 3, bytesOf(3))).toBe(false);
      expect(await failureOf(driver.completeMultipart(key, uploadId, three))).toBe("missing");
    });

    it("sweeps uploads that nobody has touched since a time, below a prefix, and no others", async () => {
      const root = `sweep-${randomUUID()}`;
      const [mine, other] = [`${root}/a`, `${root}-other/a`];
      const uploadId = await begin(mine);
      const otherId = await begin(other);
      expect(await driver.sweepUnfinished(`${root}/`, new Date(Date.now() - 60_000))).toBe(0);
      expect(await driver.sweepUnfinished(`${root}/`, tomorrow())).toBe(1);
      expect(await failureOf(driver.listParts(mine, uploadId))).toBe("missing");
      expect(await driver.listParts(other, otherId)).toEqual([]);
      await driver.abortMultipart(other, otherId);
    });
  });
}

describe("the disk store", () => keepsTheContract(onDisk()));
describeWith(s3, "the S3 store", (server) => keepsTheContract(onS3(server)));
